import type { ConsumerMessages, ConsumerNotification, JsMsg } from '@nats-io/jetstream';
import { BrokerUnavailable } from './broker.ts';
import type { Session } from './connection.ts';
import type { ConsumerContext } from './consumer-context.ts';
import { ensureDurable } from './durable.ts';
import { pause } from './pause.ts';
import { originalSubjectOf, readEvent } from './read-event.ts';
import { receive } from './receive.ts';
import { isMissingStream } from './stream.ts';
import { streamOf } from './stream-name.ts';

const retryMs = 1_000;

/** Notifications that the stream or the consumer was removed or is unreachable. */
const lost = new Set<ConsumerNotification['type']>([
  'consumer_deleted',
  'consumer_not_found',
  'heartbeats_missed',
  'no_responders',
  'stream_not_found',
]);

/** How many messages may be in progress whose events share a transaction. */
const joinedAtOnce = 200;

/** Whether all events of a publisher are handled together with others. */
const areJoined = ({ subscriptions }: ConsumerContext, publisher: string) =>
  subscriptions.every(({ event, isJoinable }) => event.service !== publisher || isJoinable);

/** The messages of one publisher that a consumer is processing. */
interface Progress {
  readonly context: ConsumerContext;
  readonly publisher: string;
  /** How many messages may be in progress. */
  readonly most: number;
  /** All work in progress. */
  readonly inProgress: Set<Promise<void>>;
  /** The last work of each aggregate. */
  readonly last: Map<string, Promise<void>>;
}

/**
 * Processes messages of one publisher until the consumer stops, and settles those in progress before it returns. It recreates a
 * missing consumer; a missing stream is recreated by its publisher. It starts over after a reconnection.
 */
export async function pull(context: ConsumerContext, publisher: string): Promise<void> {
  const { broker, stopping, log } = context;
  const most = areJoined(context, publisher) ? joinedAtOnce : context.concurrency;
  const progress: Progress = { context, publisher, most, inProgress: new Set(), last: new Map() };
  let mayChange = true;
  while (!stopping.aborted) {
    const renewed = new AbortController();
    const unsubscribe = broker.onConnect(() => renewed.abort());
    try {
      const session = broker.session();
      mayChange = !(await ensureDurable(context, publisher, mayChange));
      await pullAll(progress, session, AbortSignal.any([stopping, renewed.signal]));
    } catch (error) {
      if (!(error instanceof BrokerUnavailable) && !isMissingStream(error))
        log.warn({ err: error, publisher }, 'consuming failed and starts over');
    } finally {
      unsubscribe();
    }
    await untilConnected(context);
  }
  await Promise.all(progress.inProgress);
}

async function pullAll(progress: Progress, session: Session, stopping: AbortSignal) {
  const { context, publisher, most } = progress;
  const consumer = await session.js.consumers.get(streamOf(publisher), context.service);
  // With `bind` the library does not look the consumer up after a reconnection, for which it waits half a minute if the
  // broker is not ready at once. The caller starts over instead.
  const messages = await consumer.consume({
    max_messages: most,
    // A request for messages counts as lost after twice this time. There is one request per publisher.
    idle_heartbeat: 10_000,
    bind: true,
  });
  stopping.addEventListener('abort', () => messages.stop(), { once: true });
  if (stopping.aborted) messages.stop();
  void stopWhenLost(messages);
  for await (const message of messages) {
    // Fetched but not started: another instance will get it soon.
    if (context.stopping.aborted) message.nak(retryMs);
    else await start(progress, session, message);
  }
}

/**
 * Starts processing a message as soon as the limit allows. Messages of one aggregate are processed one after the other,
 * so that they neither overtake each other nor wait for each other's locks.
 */
async function start(progress: Progress, session: Session, message: JsMsg) {
  const { context, publisher, most, inProgress, last } = progress;
  while (inProgress.size >= most) await Promise.race(inProgress);
  const published = { subject: originalSubjectOf(message), data: message.data };
  const reading = readEvent(published, publisher, context.subscriptions);
  const aggregate = reading.poison === undefined ? reading.event.subject : `message ${message.seq}`;
  const previous = last.get(aggregate) ?? Promise.resolve();
  const work = previous
    .then(() => receive(context, { message, session, reading }))
    .finally(() => {
      inProgress.delete(work);
      if (last.get(aggregate) === work) last.delete(aggregate);
    });
  inProgress.add(work);
  last.set(aggregate, work);
}

async function stopWhenLost(messages: ConsumerMessages) {
  for await (const notification of messages.status()) {
    if (lost.has(notification.type)) messages.stop();
  }
}

/** Waits briefly, and until the broker is available. */
async function untilConnected({ broker, stopping }: ConsumerContext) {
  do await pause(retryMs, stopping);
  while (!broker.connected() && !stopping.aborted);
}
