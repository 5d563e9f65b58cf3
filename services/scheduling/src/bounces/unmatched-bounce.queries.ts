import { type Query, queryRows } from '@crm/data';
import type { Bounce } from '@crm/delivery';
import type { z } from 'zod';
import { bounceApi } from './bounce.api.ts';

/** Stores a report about an e-mail that this service has not sent; it replaces an earlier one about the same e-mail. */
export async function storeUnmatched(query: Query, { key, report }: Bounce, at: Date): Promise<void> {
  await query(
    `insert into unmatched_bounces (key, state, reason, is_unreachable, reported_at)
     values ($1, $2, $3, $4, $5::timestamptz)
     on conflict (key) do update set state = excluded.state, reason = excluded.reason,
       is_unreachable = excluded.is_unreachable, reported_at = excluded.reported_at`,
    [key, report.state, report.reason ?? null, report.block === 'unreachable', at.toISOString()],
  );
}

/** Some of these reports, oldest first. */
export function unmatchedBounces(query: Query, skip: number) {
  return queryRows(
    query,
    bounceApi.unmatched.output.element,
    `select key, state, reason, is_unreachable, reported_at::text as reported_at
     from unmatched_bounces order by unmatched_bounces.reported_at, key limit 100 offset $1::int`,
    [skip],
  );
}

type Settled = z.output<typeof bounceApi.settle.input>['reports'];

/** Removes reports, except those that have been replaced in the meantime. */
export async function removeUnmatched(query: Query, reports: Settled): Promise<void> {
  await query(
    `delete from unmatched_bounces b using jsonb_to_recordset($1::jsonb) settled (key uuid, reported_at timestamptz)
     where b.key = settled.key and b.reported_at = settled.reported_at`,
    [JSON.stringify(reports)],
  );
}
