import type { User } from '@crm/auth';
import { delegationEnded } from '@crm/events';
import { expect } from 'vitest';
import { undoDue } from '../src/shares/undo-delegations.ts';
import type { contactsWithIdentity } from './with-identity.ts';

type Contacts = Awaited<ReturnType<typeof contactsWithIdentity>>;

/** Makes agents with a teammate, and the same agents as their brokers act, who are also in their teams. */
export function officesIn(contacts: Contacts) {
  let delegations = 0;
  const undo = async () => {
    await undoDue(contacts.workerContext, new AbortController().signal);
    return contacts.rows('select from delegations where undo_due_at is not null');
  };

  return async () => {
    const [kim, ben, alone] = [
      await contacts.person({ is_broker: true }),
      await contacts.person(),
      await contacts.person(),
    ];
    const { user: lee, leave } = await teamed(contacts, alone, [kim, ben]);
    delegations += 1;
    const acting: User = { ...lee, act: { id: kim.id, delegation_id: delegations } };
    const data = { delegation_id: delegations, broker_user_id: kim.id, user_id: lee.id };
    const announceEnd = (more = {}) => contacts.deliver(delegationEnded, { ...data, ...more });
    const end = async (more = {}) => {
      await announceEnd(more);
      // A request that has begun may hold the delegation.
      await expect.poll(undo).toEqual([]);
    };
    return { kim, ben, lee, acting, announceEnd, end, leave };
  };
}

/** A user who now has a team with others. */
export async function teamed({ identity, now }: Contacts, creator: User, members: readonly User[]) {
  const { id: team_id } = await identity.as(creator).teams.create({ name: `Team of ${creator.id}` });
  await identity.rows(
    `insert into team_members (team_id, user_id, request_status, created_at, modified_at)
     select $1::int, unnest($2::int[]), 'Accepted', now(), now()`,
    [team_id, members.map(({ id }) => id)],
  );
  return {
    user: await now(creator),
    leave: ({ id: user_id }: User) => identity.asSystem.teamMembers.remove({ team_id, user_id }),
  };
}
