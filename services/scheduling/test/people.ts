import { randomUUID } from 'node:crypto';
import { joinTeam, someone, teammateOf } from '@crm/testing';
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

  /** Lets two users work together in a team. */
  const workTogether = async (firstId: number, secondId: number) => {
    const first = { ...teammateOf({ ...someone(), id: secondId }), id: firstId };
    const second = { ...teammateOf(first), id: secondId };
    const { id: team_id } = await identity.as(first).teams.create({ name: 'North' });
    await joinTeam(identity, team_id, second);
    return { team_id, first, second };
  };

  return { number, sender, contact, workTogether };
}

export type People = ReturnType<typeof peopleOf>;
