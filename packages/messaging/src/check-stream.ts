import type { StreamInfo } from '@nats-io/jetstream';
import { PermissionViolationError, RequestError } from '@nats-io/transport-node';
import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import type { Broker } from './broker.ts';
import { lockOutbox, onConnection } from './outbox-lock.ts';
import { markPortion } from './republish.ts';
import { ensureStream } from './stream.ts';
import { streamOf } from './stream-name.ts';

/** What a relay knows of its stream. Numbers of messages are texts, because they may exceed what a number holds. */
interface Known {
  readonly created: string;
  readonly last_seq: string;
  /** The last event that the broker has acknowledged, and its number. */
  readonly last_event_seq: string | null;
  readonly last_event_id: string | null;
  /** How many messages were missing between the first one and the last one. */
  readonly missing: string;
}

/** A stream, its outbox, and how many events become pending at once. */
interface Checked {
  readonly pool: Pool;
  readonly broker: Broker;
  readonly service: string;
  readonly log: Logger;
  readonly portion: number;
}

/** The outcome of a check. An unfinished one is continued by the next check of any relay. */
export type Check = 'finished' | 'unfinished' | 'left to others';

/**
 * Creates the stream unless it exists. If the broker has lost events of the stream, as when it acknowledged a message before it
 * was on disk, marks events of the outbox as pending: all of them or, if only the latest are missing, those since an hour
 * before the last message that it still has. These are then published in their order and before any new event, with their ids,
 * so that consumers ignore those they have handled. Each check marks only a portion, because a connection that is silent for
 * too long is given up. Nothing is checked while another relay is sending.
 */
export async function checkStream({ pool, portion, ...checked }: Checked): Promise<Check> {
  return onConnection(pool, async (client) => {
    const isLocked = await lockOutbox(client);
    let isFinished = false;
    if (isLocked) {
      // One relay at a time: a cluster that is asked again to create a stream reports it as a new one.
      await ensureStream(checked.broker, checked.service);
      await noticeLoss(client, checked);
      isFinished = await markPortion(client, portion);
    }
    await client.query('commit');
    if (!isLocked) return 'left to others';
    return isFinished ? 'finished' : 'unfinished';
  });
}

async function noticeLoss(
  client: PoolClient,
  { broker, service, log }: Pick<Checked, 'broker' | 'service' | 'log'>,
) {
  const name = streamOf(service);
  const found = await broker.session().jsm.streams.info(name);
  const known = await knownStream(client, name);
  const lostSince = known && (await lossOf(broker, known, found));
  if (lostSince !== undefined) {
    const { created, state } = found;
    log.error(
      { service, known, found: { created, ...state } },
      'the broker has lost events, which are published again',
    );
  }
  if (lostSince !== undefined || !known || BigInt(missingIn(found)) < BigInt(known.missing))
    await storeStream(client, found, lostSince);
}

/** The time since which events are lost; undefined if none are. */
async function lossOf(broker: Broker, known: Known, found: StreamInfo): Promise<string | undefined> {
  const { created, state } = found;
  // Messages are only deleted by age, oldest first.
  if (known.created !== created || BigInt(missingIn(found)) > BigInt(known.missing)) return '-infinity';
  const isComplete =
    BigInt(state.last_seq) >= BigInt(known.last_seq) && (await hasLastEvent(broker, known, found));
  return isComplete ? undefined : state.last_ts;
}

/** Another message that came after the loss may have its number. */
async function hasLastEvent(broker: Broker, known: Known, { config, state }: StreamInfo): Promise<boolean> {
  const seq = Number(known.last_event_seq);
  if (known.last_event_seq === null || seq < state.first_seq) return true;
  try {
    const message = await broker.session().jsm.streams.getMessage(config.name, { seq });
    return message?.header.get('Nats-Msg-Id') === known.last_event_id;
  } catch (error) {
    // The broker was configured by a release that did not need this permission.
    if (error instanceof RequestError && error.cause instanceof PermissionViolationError) return true;
    throw error;
  }
}

const missingIn = ({ state }: StreamInfo) => state.num_deleted ?? 0;

async function knownStream(client: PoolClient, name: string): Promise<Known | undefined> {
  const { rows } = await client.query<Known>(
    'select created, last_seq, last_event_seq, last_event_id, missing from published_streams where name = $1',
    [name],
  );
  return rows[0];
}

async function storeStream(client: PoolClient, found: StreamInfo, lostSince: string | undefined) {
  await client.query(
    `insert into published_streams (name, created, last_seq, missing, lost_at, republish_from)
     values ($1, $2, $3, $4, case when $5::timestamptz is not null then now() end, $5::timestamptz - interval '1 hour')
     on conflict (name) do update set
       created = excluded.created, last_seq = excluded.last_seq, missing = excluded.missing,
       last_event_seq = null, last_event_id = null,
       lost_at = coalesce(excluded.lost_at, published_streams.lost_at),
       republish_from = least(excluded.republish_from, published_streams.republish_from)`,
    [found.config.name, found.created, found.state.last_seq, missingIn(found), lostSince],
  );
}
