import type { CloudEvent } from '@crm/events';
import type { Pool } from 'pg';
import type { Broker } from './broker.ts';
import { fault } from './fault.ts';
import { withOutboxLock } from './outbox-lock.ts';
import { streamOf } from './stream.ts';

interface Row {
  readonly id: string;
  readonly event_id: string;
  readonly subject: string;
  readonly payload: CloudEvent;
}

/** Whose rows go where, and how many at a time. */
export interface Sending {
  readonly pool: Pool;
  readonly broker: Broker;
  readonly service: string;
  readonly batch: number;
}

/** What became of a batch: how many rows were looked at, and the first failure if one stays. */
export interface Sent {
  readonly rows: number;
  readonly failure: unknown;
}

/**
 * Sends a batch of unpublished rows and marks those the broker has acknowledged.
 *
 * Rows are chosen by their flag and never by `id > last`: ids are taken before they are visible, so a row of
 * a long transaction appears below ids already sent, and would be passed over.
 *
 * The order of an aggregate holds: its rows are sent one after the other, each after the acknowledgement of
 * the one before, and none after a failure; the lock keeps another relay from sending the same rows; and the
 * next batch starts from the lowest row unsent. Rows of different aggregates travel together.
 */
export async function sendOutbox({ pool, broker, service, batch }: Sending): Promise<Sent> {
  const sent = await withOutboxLock(pool, async (client) => {
    const { rows } = await client.query<Row>({
      name: 'outbox-unpublished',
      text: 'select id, event_id, subject, payload from outbox where published_at is null order by id limit $1',
      values: [batch],
    });
    const chains = Map.groupBy(rows, (row) => row.payload.subject);
    const outcomes = await Promise.all(chains.values().map((chain) => sendChain(broker, service, chain)));
    const acknowledged = outcomes.flatMap((outcome) => outcome.acknowledged);
    await fault('relay.sent');
    await client.query('update outbox set published_at = now() where id = any($1::bigint[])', [acknowledged]);
    return { rows: rows.length, failure: outcomes.find((outcome) => outcome.failure)?.failure };
  });
  return sent ?? { rows: 0, failure: undefined };
}

async function sendChain(broker: Broker, service: string, chain: readonly Row[]) {
  const acknowledged: string[] = [];
  try {
    for (const { id, event_id, subject, payload } of chain) {
      await broker.session().js.publish(subject, JSON.stringify(payload), {
        msgID: event_id,
        expect: { streamName: streamOf(service) },
        timeout: 5_000,
      });
      acknowledged.push(id);
    }
    return { acknowledged, failure: undefined };
  } catch (failure) {
    return { acknowledged, failure };
  }
}
