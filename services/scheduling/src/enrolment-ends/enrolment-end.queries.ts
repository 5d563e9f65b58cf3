import { type Query, queryRows } from '@crm/data';
import { z } from 'zod';

/** A contact in a campaign, a whole campaign, or a contact in all campaigns. */
interface EndScope {
  readonly what: 'campaign contact' | 'campaign' | 'contact';
  readonly id: number;
}

const lockKey = "hashtext('crm.scheduling.end of a ' || what), id";

/**
 * Returns whether any of the scopes has ended, and keeps all of them from ending until the transaction ends. Waits for
 * an end that is being stored. So of an end and of a row that is created for a contact, one always sees the other.
 */
export async function isEnded(query: Query, scopes: readonly EndScope[]): Promise<boolean> {
  const named = 'unnest($1::text[], $2::int[]) as scope (what, id)';
  const values = [scopes.map(({ what }) => what), scopes.map(({ id }) => id)];
  await query(`select pg_advisory_xact_lock_shared(${lockKey}) from ${named}`, values);
  // A separate statement, because its snapshot must be newer than the locks.
  const [row] = await queryRows(
    query,
    z.object({ ended: z.boolean() }),
    `select exists (select from enrolment_ends natural join ${named}) as ended`,
    values,
  );
  return row?.ended ?? false;
}

/** Ends a scope for good, as soon as nothing is being created for it. */
export async function end(query: Query, { what, id }: EndScope, now: Date): Promise<void> {
  await query(
    `select pg_advisory_xact_lock(${lockKey}) from (select $1::text as what, $2::int as id) scope`,
    [what, id],
  );
  await query(
    `insert into enrolment_ends (what, id, ended_at) values ($1::text, $2::int, $3::timestamptz)
     on conflict do nothing`,
    [what, id, now.toISOString()],
  );
}
