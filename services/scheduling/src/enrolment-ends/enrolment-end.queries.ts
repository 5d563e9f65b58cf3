import { hasRows, type Query, queryRows } from '@crm/data';
import { z } from 'zod';

/** A contact in a campaign, a whole campaign, or a contact in all campaigns. */
export type EndScope = z.output<typeof EndScope>;

const EndScope = z.object({ what: z.enum(['campaign contact', 'campaign', 'contact']), id: z.int() });

const lockKey = "hashtext('crm.scheduling.end of a ' || what), id";

/**
 * Returns whether any of the scopes has ended, and prevents all of them from ending until the transaction ends. Waits for an end
 * that is being stored. So of an end and of a row created for a contact, one always sees the other.
 */
export async function isEnded(query: Query, scopes: readonly EndScope[]): Promise<boolean> {
  const named = 'unnest($1::text[], $2::int[]) as scope (what, id)';
  const values = [scopes.map(({ what }) => what), scopes.map(({ id }) => id)];
  await query(`select pg_advisory_xact_lock_shared(${lockKey}) from ${named}`, values);
  // A separate statement, because its snapshot must be newer than the locks.
  return hasRows(query, `select from enrolment_ends natural join ${named} limit 1`, values);
}

/**
 * Ends a scope permanently, as soon as nothing is being created for it. Its rows are removed later; those of a contact in all
 * campaigns are removed by the caller.
 */
export async function end(query: Query, { what, id }: EndScope, now: Date): Promise<void> {
  await query(
    `select pg_advisory_xact_lock(${lockKey}) from (select $1::text as what, $2::int as id) scope`,
    [what, id],
  );
  await query(
    `insert into enrolment_ends (what, id, ended_at, removed_at)
     values ($1::text, $2::int, $3::timestamptz, case when $1::text = 'contact' then $3::timestamptz end)
     on conflict do nothing`,
    [what, id, now.toISOString()],
  );
}

/** SQL of the times at which the remaining rows of stopped scopes are to be removed. */
export const removalsToCome = `
  select coalesce(postponed_until, ended_at) as due_at from enrolment_ends where removed_at is null`;

/** The scopes with rows that are still to be removed, the longest ended first. */
export function unremovedEnds(query: Query): Promise<EndScope[]> {
  return queryRows(
    query,
    EndScope,
    `select what, id from enrolment_ends
     where removed_at is null and coalesce(postponed_until, '-infinity') <= now()
     order by ended_at limit 100`,
    [],
  );
}

/** Locks a scope until the transaction ends; returns false if it was removed, or if somebody else is removing it. */
export function lockUnremoved(query: Query, { what, id }: EndScope): Promise<boolean> {
  return hasRows(
    query,
    `select from enrolment_ends where what = $1::text and id = $2::int and removed_at is null
     for update skip locked`,
    [what, id],
  );
}

/** Whether a scope still has rows to be removed, even if somebody else is removing them. */
export function isUnremoved(query: Query, { what, id }: EndScope): Promise<boolean> {
  return hasRows(
    query,
    'select from enrolment_ends where what = $1::text and id = $2::int and removed_at is null',
    [what, id],
  );
}

export async function markRemoved(query: Query, { what, id }: EndScope): Promise<void> {
  await query(
    'update enrolment_ends set removed_at = now(), problem = null where what = $1::text and id = $2::int',
    [what, id],
  );
}

/** Postpones a scope that cannot be removed by a minute. */
export async function postponeRemoval(query: Query, { what, id }: EndScope, reason: string): Promise<void> {
  await query(
    `update enrolment_ends set problem = left($3::text, 500), postponed_until = now() + interval '1 minute'
     where what = $1::text and id = $2::int`,
    [what, id, reason],
  );
}
