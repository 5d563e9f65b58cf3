import type { ConsumerMessages, ConsumerNotification, JsMsg } from '@nats-io/jetstream';
import { BrokerUnavailable, type Session } from './broker.ts';
import { ensureDurable } from './durable.ts';
import type { Listener } from './listener.ts';
import { pause } from './pause.ts';
import { readEvent } from './read-event.ts';
import { receive } from './receive.ts';
import { ensureDeadLetterStream, ensureStream, streamOf } from './stream.ts';

const retryMs = 1_000;

/** Signs that the stream or the consumer is not there any more, or cannot be reached. */
const lost = new Set<ConsumerNotification['type']>([
  'consumer_deleted',
  'consumer_not_found',
  'heartbeats_missed',
  'no_responders',
  'stream_not_found',
]);

/** One publisher's messages on their way through one listener. */
interface Pulling {
  readonly listener: Listener;
  readonly publisher: string;
  /** All the work under way. */
  readonly inHand: Set<Promise<void>>;
  /** The last work of each aggregate. */
  readonly last: Map<string, Promise<void>>;
}

/**
 * Takes messages of one publisher until the listener stops, and settles what is in hand before it returns.
 * Whatever is missing at the broker is made again; a reconnection starts anew.
 */
export async function pull(listener: Listener, publisher: string): Promise<void> {
  const { broker, stopping, log } = listener;
  const pulling: Pulling = { listener, publisher, inHand: new Set(), last: new Map() };
  let mayChange = true;
  while (!stopping.aborted) {
    const renewed = new AbortController();
    const forget = broker.onConnect(() => renewed.abort());
    try {
      const session = broker.session();
      await ensureStream(broker, publisher);
      await ensureDeadLetterStream(broker);
      await ensureDurable(listener, publisher, mayChange);
      mayChange = false;
      await takeAll(pulling, session, AbortSignal.any([stopping, renewed.signal]));
    } catch (error) {
      if (!(error instanceof BrokerUnavailable))
        log.warn({ err: error, publisher }, 'a listener starts anew');
    } finally {
      forget();
    }
    await untilConnected(listener);
  }
  await Promise.all(pulling.inHand);
}

async function takeAll(pulling: Pulling, session: Session, stopping: AbortSignal) {
  const { listener, publisher } = pulling;
  const consumer = await session.js.consumers.get(streamOf(publisher), listener.service);
  // Bound, the library does not look for the consumer after a reconnection, where it waits for half a minute
  // when the broker is not ready at once; the caller starts anew instead.
  const messages = await consumer.consume({
    max_messages: listener.concurrency,
    idle_heartbeat: 5_000,
    bind: true,
  });
  stopping.addEventListener('abort', () => messages.stop(), { once: true });
  if (stopping.aborted) messages.stop();
  void stopWhenLost(messages);
  for await (const message of messages) {
    // Taken ahead and not begun: another instance gets it soon.
    if (listener.stopping.aborted) message.nak(retryMs);
    else await take(pulling, session, message);
  }
}

/**
 * Begins with a message when a hand is free. Messages of one aggregate follow each other, so that they do not
 * overtake each other for no reason, nor wait for each other's rows.
 */
async function take({ listener, inHand, last }: Pulling, session: Session, message: JsMsg) {
  while (inHand.size >= listener.concurrency) await Promise.race(inHand);
  const reading = readEvent(message, listener.subscriptions);
  const aggregate = reading.poison === undefined ? reading.event.subject : `message ${message.seq}`;
  const before = last.get(aggregate) ?? Promise.resolve();
  const work = before
    .then(() => receive(listener, { message, session, reading }))
    .finally(() => {
      inHand.delete(work);
      if (last.get(aggregate) === work) last.delete(aggregate);
    });
  inHand.add(work);
  last.set(aggregate, work);
}

async function stopWhenLost(messages: ConsumerMessages) {
  for await (const notification of messages.status()) {
    if (lost.has(notification.type)) messages.stop();
  }
}

/** Waits a little, and while the broker is away until it is back. */
async function untilConnected({ broker, stopping }: Listener) {
  do await pause(retryMs, stopping);
  while (!broker.connected() && !stopping.aborted);
}
