import { isDatabaseUnavailable } from '@crm/data';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { JsMsg } from '@nats-io/jetstream';
import type { MsgHdrs } from '@nats-io/transport-node';
import type { Pool } from 'pg';
import { storable } from './failures.ts';
import { handleEvents } from './handle-events.ts';
import { enterInbox } from './inbox.ts';
import { originalSubjectOf, readEvent } from './read-event.ts';
import { streamOf } from './stream-name.ts';
import { publishersOf, type Subscription } from './subscription.ts';

interface Death {
  /** Undefined if the message is no event. */
  readonly eventId: string | undefined;
  readonly reason: string;
  readonly failures: number;
}

const maxReasonLength = 2_000;

const reasonIn = (error: unknown): string => storable(String(error), maxReasonLength);

/**
 * Stores a message that could not be handled, in full. An event has only one dead letter, even if its message is redelivered
 * because the response to the broker was lost.
 */
export async function addDeadLetter(
  em: EntityManager,
  message: JsMsg,
  { eventId, reason, failures }: Death,
): Promise<void> {
  const { info, seq, headers, data, timestamp } = message;
  await em.execute(
    `insert into dead_letters (event_id, subject, headers, data, reason, failures, stream, seq, sent_at)
     values (?, ?, ?, decode(?, 'hex'), ?, ?, ?, ?, ?) on conflict do nothing`,
    [
      eventId ?? null,
      storable(originalSubjectOf(message), Number.POSITIVE_INFINITY),
      JSON.stringify(recordOf(headers)),
      Buffer.from(data).toString('hex'),
      reasonIn(reason),
      failures,
      info.stream,
      seq,
      timestamp,
    ],
  );
}

export async function countDeadLetters(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('select count(*)::int as count from dead_letters');
  return rows[0]?.count ?? 0;
}

/** The outcome of handling a dead letter once more. */
interface Redriven {
  readonly isHandled: boolean;
  /** Why handling it failed again. */
  readonly reason: string | null;
}

interface Letter {
  readonly stream: string;
  readonly subject: string;
  readonly data: string;
}

/**
 * Handles a dead letter in the transaction of `em`, without the broker, and removes it. If that fails again, everything but the
 * reason is undone and the dead letter stays. Returns undefined if it does not exist. Throws errors that are not failures of
 * the event.
 */
export async function redriveDeadLetter(
  em: EntityManager,
  consumer: string,
  subscriptions: readonly Subscription[],
  id: number,
): Promise<Redriven | undefined> {
  const [letter] = await em.execute<Letter[]>(
    `select stream, subject, encode(data, 'hex') as data from dead_letters where id = ? for update`,
    [id],
  );
  if (!letter) return undefined;
  const reason = await failureOf(em, consumer, subscriptions, letter);
  if (reason === null) await removeDeadLetter(em, id);
  else
    await em.execute(
      'update dead_letters set reason = ?, failures = failures + 1, died_at = now() where id = ?',
      [reason, id],
    );
  return { isHandled: reason === null, reason };
}

async function failureOf(
  em: EntityManager,
  consumer: string,
  subscriptions: readonly Subscription[],
  { stream, subject, data }: Letter,
): Promise<string | null> {
  const publisher = publishersOf(subscriptions).find((name) => streamOf(name) === stream);
  if (publisher === undefined) return `Nothing subscribes to events of the stream ${stream}.`;
  const reading = readEvent({ subject, data: Buffer.from(data, 'hex') }, publisher, subscriptions);
  if (reading.poison !== undefined) return reasonIn(reading.poison);
  try {
    await em.transactional((tx) => handleEvents(tx, consumer, [reading]));
    return null;
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    return reasonIn(error);
  }
}

/** Removes a dead letter for good, if it still exists: its event counts as handled and is not delivered again. */
export async function discardDeadLetter(em: EntityManager, consumer: string, id: number): Promise<void> {
  const [letter] = await removeDeadLetter(em, id);
  if (letter?.event_id) await enterInbox(em, consumer, [letter.event_id]);
}

const removeDeadLetter = (em: EntityManager, id: number) =>
  em.execute<{ event_id: string | null }[]>('delete from dead_letters where id = ? returning event_id', [id]);

function recordOf(from: MsgHdrs | undefined): Record<string, string[]> {
  return Object.fromEntries((from?.keys() ?? []).map((name) => [name, from?.values(name) ?? []]));
}
