import type { Query } from '@crm/data';

/** A contact in a campaign, a whole campaign, or a contact in all campaigns. */
export interface Whole {
  readonly what: 'campaign contact' | 'campaign' | 'contact';
  readonly id: number;
}

const lockOf = "hashtext('crm.scheduling.end of a ' || what), id";

/**
 * Says whether any of them has come to its end, and lets none do so until the transaction ends. An end that is under way
 * is waited for. Of an end and of what is made for a contact, thereby, one sees the other.
 */
export async function isEnded(query: Query, wholes: readonly Whole[]): Promise<boolean> {
  const named = 'unnest($1::text[], $2::int[]) as whole (what, id)';
  const values = [wholes.map(({ what }) => what), wholes.map(({ id }) => id)];
  await query(`select pg_advisory_xact_lock_shared(${lockOf}) from ${named}`, values);
  // A statement of its own: it sees what the locks were waited for.
  const [row] = await query(
    `select exists (select from enrolment_ends natural join ${named}) as ended`,
    values,
  );
  return row?.ended === true;
}

/** Ends one of them for good, once nothing is being made for it any more. */
export async function end(query: Query, { what, id }: Whole, now: Date): Promise<void> {
  await query(`select pg_advisory_xact_lock(${lockOf}) from (select $1::text as what, $2::int as id) whole`, [
    what,
    id,
  ]);
  await query(
    `insert into enrolment_ends (what, id, ended_at) values ($1::text, $2::int, $3::timestamptz)
     on conflict do nothing`,
    [what, id, now.toISOString()],
  );
}
