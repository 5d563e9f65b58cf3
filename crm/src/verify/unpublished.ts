import type pg from 'pg';
import type { ServiceName } from '../system/services.ts';
import { type Discrepancy, examplesShown } from './discrepancy.ts';

/** Events are published within a second, so those that are older wait for something. */
export async function verifyUnpublished(client: pg.Client, service: ServiceName): Promise<Discrepancy[]> {
  const { rows } = await client.query<{ count: number; examples: string[] }>(
    `select count(*)::int as count, (array_agg(event_id::text order by id))[1:${examplesShown}] as examples from outbox
     where published_at is null and created_at < now() - interval '1 minute'`,
  );
  const [{ count, examples } = { count: 0, examples: [] }] = rows;
  const what = 'events that have waited to be published for more than a minute';
  const advice = `Start ${service} and NATS, or see their logs; they are then published.`;
  return count === 0 ? [] : [{ service, what, count, examples, advice, repaired: 0 }];
}
