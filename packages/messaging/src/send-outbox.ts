import type { CloudEvent } from '@crm/events';
import { type SpanFacts, traced } from '@crm/telemetry';
import type { Pool, QueryConfig } from 'pg';
import type { Broker } from './broker.ts';
import { spanCauseOf } from './cause.ts';
import { crashPoint } from './crash-point.ts';
import { lockPending, maxIdleMs, onConnection } from './outbox-lock.ts';
import { isRepublishing } from './republish.ts';
import { streamOf } from './stream-name.ts';

interface Row {
  readonly id: string;
  readonly event_id: string;
  readonly subject: string;
  /** What the event is about. */
  readonly aggregate: string;
  /** The event as it is sent. Parsing and serializing it would cost more than everything else that is done for it. */
  readonly payload: string;
  /** Whether commits wait for a standby. */
  readonly is_synchronous: boolean;
}

/** The outbox, its destination, and the maximum number of rows per batch. */
export interface Sending {
  readonly pool: Pool;
  readonly broker: Broker;
  readonly service: string;
  readonly batch: number;
  /** For how long the transaction with the lock may wait for the broker. */
  readonly idleMs?: number;
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
  update published_streams set last_seq = $3, last_event_seq = $3, last_event_id = $4
  where name = $2 and last_seq < $3`;

/** The outcome of a batch: the number of rows, whether more may be pending, and the first failure if there was one. */
export interface Sent {
  readonly rows: number;
  readonly hasMore: boolean;
  readonly failure: unknown;
  /** The stream has to be checked first. */
  readonly isHeldBack?: boolean;
}

/**
 * Publishes a batch of pending rows and marks those that the broker has acknowledged. Returns undefined if another relay is
 * doing so.
 *
 * Rows are selected by their flag and never by `id > last`: ids are assigned before rows become visible, so a row of a long
 * transaction appears below ids that were already published, and would be skipped.
 *
 * A chain of events of one aggregate stops early enough to be marked, however slow the broker is: unmarked events would be sent
 * again.
 *
 * Nothing is sent while published events still have to become pending again.
 *
 * The order per aggregate is preserved: its rows are published one after the other, each after the acknowledgement of the
 * previous one, and none after a failure; the lock keeps other relays from publishing the same rows; and the next batch starts
 * with the lowest pending row. Rows of different aggregates are published concurrently.
 */
export function sendOutbox({
  pool,
  broker,
  service,
  batch,
  idleMs = maxIdleMs,
}: Sending): Promise<Sent | undefined> {
  return onConnection(pool, async (client) => {
    // A row whose mark is lost is published once more with its id, as after a crash of the relay.
    const [isLocked, { rows }] = await Promise.all([
      lockPending(client, idleMs),
      client.query<Row>(unpublished(batch)),
    ]);
    if (!isLocked || rows.length === 0) {
      await client.query('commit');
      // Without rows, what was published is to be pending again, or another relay was faster.
      const isHeldBack = isLocked === true;
      return isLocked === false
        ? undefined
        : { rows: 0, hasMore: isHeldBack, failure: undefined, isHeldBack };
    }
    if (rows[0]?.is_synchronous) await waitForStandby(pool);
    const chains = Map.groupBy(rows, ({ aggregate }) => aggregate);
    // The rest of the time is for the last acknowledgements and the marks.
    const until = performance.now() + idleMs / 2;
    const sending = chains.values().map((chain) => sendChain(broker, service, chain, until));
    const outcomes = await Promise.all(sending);
    const acknowledged = outcomes.flatMap((outcome) => outcome.acknowledged);
    await crashPoint('relay.sent');
    await Promise.all([client.query(markOf(service, acknowledged)), client.query('commit')]);
    const failure = outcomes.find((outcome) => outcome.failure)?.failure;
    const hasMore = rows.length === batch || acknowledged.length < rows.length;
    return { rows: rows.length, hasMore, failure };
  });
}

const unpublished = (batch: number): QueryConfig => ({
  name: 'outbox-unpublished',
  text: `select id, event_id, subject, payload ->> 'subject' as aggregate, payload::text as payload,
                current_setting('synchronous_standby_names') <> '' as is_synchronous
         from outbox where published_at is null and not ${isRepublishing} order by id limit $1`,
  values: [batch],
});

function markOf(service: string, acknowledged: readonly Acknowledged[]): QueryConfig {
  const last = acknowledged.reduce<Acknowledged | undefined>(laterOf, undefined);
  const ids = acknowledged.map(({ id }) => id);
  return {
    name: 'outbox-mark',
    text: markQuery,
    values: [ids, streamOf(service), last?.seq ?? 0, last?.event_id],
  };
}

/**
 * Returns when a synchronous standby has everything that was read so far. A commit whose wait for the standby ends early, as
 * when the primary is killed, is visible to sessions that are still connected but lost in a failover: an event published from
 * it would be about a record that does not exist. This function therefore commits after it and waits as well.
 */
const waitForStandby = (pool: Pool) => pool.query(`select pg_logical_emit_message(true, 'crm', '')`);

/** A row with the number that the broker has given to its event. */
interface Acknowledged extends Pick<Row, 'id' | 'event_id'> {
  readonly seq: number;
}

const laterOf = (one: Acknowledged | undefined, other: Acknowledged) =>
  one && one.seq > other.seq ? one : other;

/** Sends rows of one aggregate until one fails or the time is over. */
async function sendChain(broker: Broker, service: string, chain: readonly Row[], until: number) {
  const acknowledged: Acknowledged[] = [];
  try {
    for (const row of chain) {
      if (performance.now() > until) break;
      const send = () => sendRow(broker, service, row);
      const seq = await traced(() => spanOf(row), send, { causes: () => [spanCauseOf(eventIn(row))] });
      acknowledged.push({ id: row.id, event_id: row.event_id, seq });
    }
    return { acknowledged, failure: undefined };
  } catch (failure) {
    return { acknowledged, failure };
  }
}

const eventIn = ({ payload }: Row) => JSON.parse(payload) as CloudEvent;

const sendRow = (broker: Broker, service: string, { event_id: id, subject, payload: text }: Row) =>
  broker.session().publish({ stream: streamOf(service), subject, text, id });

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
