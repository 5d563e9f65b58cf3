import { isUser } from '@crm/auth';
import { tokenInvalid } from '@crm/contract';
import { type Query, queryRows } from '@crm/data';
import type { Context } from '@crm/service';
import { z } from 'zod';

/** What a delegation has done in the name of its user is undone when it ends. */
interface DelegatedAssignment {
  readonly contact_id: number;
  readonly previous_user_id: number | null;
}

/**
 * Refuses what a broker shares or assigns for a user if the delegation has ended since the request was authenticated.
 * Otherwise it does not end before the transaction does, so that nothing is left that should have been undone. Called
 * before the contact is locked, in the order in which the end of a delegation locks.
 */
export async function demandOpenDelegation({ user, query }: Context): Promise<void> {
  if (user.act && !(await holdsDelegation(query, user.act.delegation_id))) throw tokenInvalid();
}

/** Whether a delegation has not ended; if so, it does not end before the transaction does. */
export async function holdsDelegation(query: Query, id: number): Promise<boolean> {
  await query('insert into delegations (id) values ($1) on conflict do nothing', [id]);
  const [row] = await query('select ended_at from delegations where id = $1 for share', [id]);
  return row?.ended_at === null;
}

/** The delegation under which a request is made, if a broker acts for the user. */
export const delegationOf = ({ actor }: Pick<Context, 'actor'>): number | null =>
  isUser(actor) ? (actor.act?.delegation_id ?? null) : null;

/** Notes that a contact was assigned, and to whom before if it was done under a delegation. */
export async function noteAssignment(
  query: Query,
  assigned: DelegatedAssignment,
  delegationId: number | null,
): Promise<void> {
  const { contact_id, previous_user_id } = assigned;
  if (delegationId === null) {
    await query('delete from delegated_assignments where contact_id = $1', [contact_id]);
    return;
  }
  await query(
    `insert into delegated_assignments as a (contact_id, delegation_id, previous_user_id) values ($1, $2, $3)
     on conflict (contact_id) do update set delegation_id = excluded.delegation_id, previous_user_id =
       case a.delegation_id when excluded.delegation_id then a.previous_user_id else excluded.previous_user_id end`,
    [contact_id, delegationId, previous_user_id],
  );
}

const Assignment = z.object({ contact_id: z.int(), previous_user_id: z.int().nullable() });

/** Ends a delegation here and returns the assignments to undo. */
export async function takeAssignments(
  query: Query,
  delegationId: number,
  at: Date,
): Promise<DelegatedAssignment[]> {
  await query(
    'insert into delegations (id, ended_at) values ($1, $2) on conflict (id) do update set ended_at = $2',
    [delegationId, at],
  );
  return queryRows(
    query,
    Assignment,
    'delete from delegated_assignments where delegation_id = $1 returning contact_id, previous_user_id',
    [delegationId],
  );
}
