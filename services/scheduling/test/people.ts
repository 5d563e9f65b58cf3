import { randomUUID } from 'node:crypto';
import { someone } from '@crm/testing';
import type { SchedulingUnderTest } from './harness.ts';

/** Creates senders and contacts with phone numbers that nobody else has. */
export function peopleOf({ identity, contacts }: SchedulingUnderTest) {
  let count = 0;
  const number = () => {
    count += 1;
    return `+1604555${String(1000 + count)}`;
  };

  const sender = async (facts: object = {}) => {
    const phone = number();
    const { id, email } = await identity.asSystem.users.create({
      email: `${randomUUID()}@harbour.example`,
      first_name: 'Anna',
      last_name: 'Lopez',
      phone,
      ...facts,
    });
    return { id, email, phone };
  };

  const contact = async (facts: object = {}) => {
    const phone = number();
    const { id, email } = await contacts.as(someone()).contacts.create({
      first_name: 'Carla',
      last_name: 'Jones',
      email: `${randomUUID()}@example.com`,
      mobile_phone: phone,
      ...facts,
    });
    return { id, email: email ?? '', phone };
  };

  return { number, sender, contact };
}

export type People = ReturnType<typeof peopleOf>;
