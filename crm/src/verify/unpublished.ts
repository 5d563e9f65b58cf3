import type pg from 'pg';
import type { ServiceName } from '../system/services.ts';
import { type Counted, type Discrepancy, examplesShown, unrepaired } from './discrepancy.ts';

/** Events are published within a second, so older ones are blocked. */
export async function verifyUnpublished(client: pg.Client, service: ServiceName): Promise<Discrepancy[]> {
  const { rows } = await client.query<Counted>(
    `select count(*)::int as count, (array_agg(event_id::text order by id))[1:${examplesShown}] as examples from outbox
     where published_at is null and created_at < now() - interval '1 minute'`,
  );
  const what = 'events that have waited to be published for more than a minute';
  const advice = `Start ${service} and NATS, or check their logs; the events are then published.`;
  return unrepaired({ service, what, advice }, rows);
}
