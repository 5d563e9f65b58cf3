import type { CloudEvent } from '@crm/events';
import { type SpanFacts, traced } from '@crm/telemetry';
import type { Pool } from 'pg';
import type { Broker } from './broker.ts';
import { causeOf } from './cause.ts';
import { fault } from './fault.ts';
import { withOutboxLock } from './outbox-lock.ts';
import { streamOf } from './stream-name.ts';

interface Row {
  readonly id: string;
  readonly event_id: string;
  readonly subject: string;
  readonly payload: CloudEvent;
}

/** The outbox, its destination, and the maximum number of rows per batch. */
export interface Sending {
  readonly pool: Pool;
  readonly broker: Broker;
  readonly service: string;
  readonly batch: number;
}

/**
 * Each batch is published later than all before it, also if the clock was set back: subscribers read in this order. Both
 * conditions on `published_at` keep it to a few partitions.
 */
const markQuery = `
  with marked as (
    update outbox set published_at = (
      select greatest(clock_timestamp(), max(published_at) + interval '1 microsecond')
      from outbox where published_at >= now()
    )
    where id = any($1::bigint[]) and published_at is null
  )
  update published_streams set last_seq = $3 where name = $2 and last_seq < $3`;

/** The outcome of a batch: the number of rows, and the first failure if there was one. */
export interface Sent {
  readonly rows: number;
  readonly failure: unknown;
}

/** A row whose mark is lost is published once more with its id, as after a crash of the relay. */
const mayBeUndone = { mayBeUndone: true };

/**
 * Publishes a batch of pending rows and marks those that the broker has acknowledged.
 *
 * Rows are selected by their flag and never by `id > last`: ids are assigned before rows become visible, so a row of a
 * long transaction appears below ids that were already published, and would be skipped.
 *
 * The order per aggregate is preserved: its rows are published one after the other, each after the acknowledgement of
 * the previous one, and none after a failure; the lock keeps other relays from publishing the same rows; and the next
 * batch starts with the lowest pending row. Rows of different aggregates are published concurrently.
 */
export async function sendOutbox({ pool, broker, service, batch }: Sending): Promise<Sent> {
  const sent = await withOutboxLock(
    pool,
    async (client) => {
      const { rows } = await client.query<Row>({
        name: 'outbox-unpublished',
        text: 'select id, event_id, subject, payload from outbox where published_at is null order by id limit $1',
        values: [batch],
      });
      const chains = Map.groupBy(rows, (row) => row.payload.subject);
      const outcomes = await Promise.all(chains.values().map((chain) => sendChain(broker, service, chain)));
      const acknowledged = outcomes.flatMap((outcome) => outcome.acknowledged);
      await fault('relay.sent');
      await client.query({
        name: 'outbox-mark',
        text: markQuery,
        values: [
          acknowledged.map(({ id }) => id),
          streamOf(service),
          Math.max(0, ...acknowledged.map(({ seq }) => seq)),
        ],
      });
      return { rows: rows.length, failure: outcomes.find((outcome) => outcome.failure)?.failure };
    },
    mayBeUndone,
  );
  return sent ?? { rows: 0, failure: undefined };
}

async function sendChain(broker: Broker, service: string, chain: readonly Row[]) {
  const acknowledged: { readonly id: string; readonly seq: number }[] = [];
  try {
    for (const row of chain) {
      const send = () => sendRow(broker, service, row);
      const { seq } = await traced(() => spanOf(row), send, { causes: () => [causeOf(row.payload)] });
      acknowledged.push({ id: row.id, seq });
    }
    return { acknowledged, failure: undefined };
  } catch (failure) {
    return { acknowledged, failure };
  }
}

const sendRow = (broker: Broker, service: string, { event_id, subject, payload }: Row) =>
  broker.session().js.publish(subject, JSON.stringify(payload), {
    msgID: event_id,
    expect: { streamName: streamOf(service) },
    timeout: 5_000,
  });

const spanOf = ({ event_id, subject }: Row): SpanFacts => ({
  name: `publish ${subject}`,
  kind: 'producer',
  attributes: {
    'messaging.system': 'nats',
    'messaging.operation.name': 'publish',
    'messaging.destination.name': subject,
    'messaging.message.id': event_id,
  },
});
