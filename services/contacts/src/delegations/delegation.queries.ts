import { isUser } from '@crm/auth';
import { tokenInvalid } from '@crm/contract';
import { dueRows, hasRows, type Query, queryIds, queryRows } from '@crm/data';
import type { Context, Postponed } from '@crm/service';
import { z } from 'zod';

/**
 * Refuses a share or assignment by a broker for a user if the delegation has ended since the request was authenticated.
 * Otherwise the delegation cannot end before the transaction does, so that nothing is left that should have been undone. Called
 * before the contact is locked, in the order in which the end of a delegation locks.
 */
export async function demandOpenDelegation({ user, query }: Context): Promise<void> {
  if (user.act && !(await holdsDelegation(query, user.act.delegation_id))) throw tokenInvalid();
}

/** Whether a delegation has not ended; if so, it cannot end before the transaction does. */
async function holdsDelegation(query: Query, id: number): Promise<boolean> {
  await query('insert into delegations (id) values ($1) on conflict do nothing', [id]);
  const [row] = await query('select ended_at from delegations where id = $1 for share', [id]);
  return row?.ended_at === null;
}

/** The delegation under which a request is made, if a broker acts for the user. */
export const delegationOf = ({ actor }: Pick<Context, 'actor'>): number | null =>
  isUser(actor) ? (actor.act?.delegation_id ?? null) : null;

/**
 * Ends a delegation here, so that what was done under it is undone. If it has already ended, undoing it again changes nothing.
 */
export async function endDelegation(
  query: Query,
  delegationId: number,
  { at, requestId }: { readonly at: Date; readonly requestId: string },
): Promise<void> {
  await query(
    `insert into delegations as d (id, ended_at, undo_due_at, undo_request_id)
     values ($1::int, $2::timestamptz, clock_timestamp(), $3)
     on conflict (id) do update set ended_at = coalesce(d.ended_at, excluded.ended_at),
       undo_due_at = excluded.undo_due_at, undo_attempts = 0, undo_request_id = excluded.undo_request_id`,
    [delegationId, at, requestId],
  );
}

const Undoing = z.object({ id: z.int(), attempts: z.int(), request_id: z.string() });
export type Undoing = z.output<typeof Undoing>;

/** When delegations are to be undone. */
export const undoingToCome = 'select undo_due_at as due_at from delegations where undo_due_at is not null';

/** The delegations to undo, longest waiting first. */
export function dueUndoings(query: Query, limit: number): Promise<Undoing[]> {
  return queryRows(
    query,
    Undoing,
    dueRows(
      'undo_due_at',
      (isDue) =>
        `select id, undo_attempts as attempts, coalesce(undo_request_id, 'repair') as request_id from delegations
         where ${isDue} order by undo_due_at limit $1::int`,
    ),
    [limit],
  );
}

/** Whether a delegation is still to be undone and no other instance is working on it. Locks it if so. */
export function lockUndoing(query: Query, delegationId: number): Promise<boolean> {
  const text = 'select from delegations where id = $1 and undo_due_at is not null for update skip locked';
  return hasRows(query, text, [delegationId]);
}

/**
 * Some contacts that a delegation has assigned or shared. With equality, the planner might read whole tables to find the last
 * ones.
 */
export function contactsToUndo(query: Query, delegationId: number, size: number): Promise<number[]> {
  const some = (table: string) =>
    `(select contact_id as id from ${table} where delegation_id between $1::int and $1::int
      order by delegation_id limit $2::int)`;
  const tables = ['delegated_assignments', 'replaced_assignments', 'contact_shares', 'repeated_shares'];
  return queryIds(query, `${tables.map(some).join(' union ')} order by id limit $2::int`, [
    delegationId,
    size,
  ]);
}

/** Records that a portion was undone, and whether it was the last one. Other delegations are next. */
export async function noteUndone(query: Query, delegationId: number, isLast: boolean): Promise<void> {
  await query(
    `update delegations set undo_attempts = 0, undo_due_at = case when not $2::boolean then clock_timestamp() end
     where id = $1`,
    [delegationId, isLast],
  );
}

const longestSeconds = 60;

export async function postponeUndoing(query: Query, { id }: Undoing, { attempts, seconds }: Postponed) {
  await query(
    `update delegations set undo_attempts = $2, undo_due_at = now() + make_interval(secs => $3::int)
     where id = $1 and undo_due_at is not null`,
    [id, attempts, Math.min(seconds, longestSeconds)],
  );
}
