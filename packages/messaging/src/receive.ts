import type { JsMsg } from '@nats-io/jetstream';
import type { Session } from './connection.ts';
import type { ConsumerContext } from './consumer-context.ts';
import { crashPoint } from './crash-point.ts';
import { addDeadLetter } from './dead-letters.ts';
import { countFailure, failuresOf, forgetFailures } from './failures.ts';
import { isJoinable } from './handle-events.ts';
import { type Arrived, type Handled, handleTogether } from './handle-together.ts';
import { pause } from './pause.ts';
import type { KnownEvent, ReadResult } from './read-event.ts';

/** The delay between attempts while the database or the broker is unavailable. */
const unavailableMs = 1_000;

/** A message, the connection it was received on, and its contents. */
export interface Received {
  readonly message: JsMsg;
  readonly session: Session;
  readonly reading: ReadResult;
}

type Outcome = 'handled' | 'failed' | 'dead letter' | 'left';

/** Handles one message and responds to the broker. Never throws, and never acknowledges a failed message. */
export async function receive(context: ConsumerContext, received: Received): Promise<void> {
  const { message, reading } = received;
  const began = performance.now();
  let outcome: Outcome = 'left';
  // Tells the broker in time that the message is in progress, so that it is not redelivered.
  const heartbeat = setInterval(
    () => respond(context, received, () => message.working()),
    context.ackWaitMs / 3,
  );
  try {
    outcome = await handle(context, received);
  } catch (error) {
    context.log.error({ err: error, subject: message.subject }, 'a message was not acknowledged');
  } finally {
    clearInterval(heartbeat);
  }
  context.measure(performance.now() - began, {
    'crm.service': context.service,
    'crm.event': reading.poison === undefined ? reading.event.type : 'unreadable',
    'crm.outcome': outcome,
  });
}

async function handle(context: ConsumerContext, received: Received): Promise<Outcome> {
  const { reading } = received;
  if (reading.poison !== undefined) {
    const reason = reading.poison;
    await addDeadLetter(context.openEm(), received.message, { eventId: undefined, reason, failures: 1 });
    return endDelivery(context, received, reason);
  }
  const attempted = await attempt(context, received, reading).finally(() =>
    context.waiting.remove(reading.event.id),
  );
  return typeof attempted === 'string' ? attempted : fail(context, received, reading.event.id, attempted);
}

/** Why an event could not be handled, and how often it has failed, if that is already counted. */
interface Failure {
  readonly error: unknown;
  readonly failures: number | undefined;
}

/**
 * Runs the handlers in one transaction with the inbox, and returns their error if they fail. While the database is unavailable
 * or a table is locked, it keeps the message and waits, because this must not count as a failure of the message. Leaves the
 * message to another instance if the consumer stops in the meantime.
 */
async function attempt(
  context: ConsumerContext,
  received: Received,
  known: KnownEvent,
): Promise<Failure | 'handled' | 'left'> {
  const { access, stopping, waiting, maxFailures, openEm, service, join } = context;
  const arrived = { known, isRepeated: received.message.info.deliveryCount > 1 };
  let failures: number | undefined;
  while (!stopping.aborted) {
    const handleAlone = async (): Promise<Handled> => {
      // Only now: what still waits has not ended anything. And once: a process ends once.
      failures ??= await countFailure(openEm(), service, known.event.id, endsProcesses);
      if (failures > maxFailures) return { is: 'failed', error: new Error(endsProcesses) };
      return handleOne(context, arrived);
    };
    const handled = await isSuspect(context, received, known.event.id)
      .then((isSuspected) =>
        isSuspected
          ? access.exclusive(handleAlone)
          : access.shared(() => (isJoinable(known) ? join(arrived) : handleOne(context, arrived))),
      )
      .catch((error: unknown): Handled => ({ is: 'unavailable', error }));
    if (handled.is === 'failed') return { error: handled.error, failures };
    if (handled.is === 'unavailable') {
      waiting.add(known.event.id, handled.error);
      await pause(unavailableMs, stopping);
      continue;
    }
    context.onHandled();
    await crashPoint('consumer.committed');
    // If it is lost, the message is redelivered and found in the inbox. Of many at once, nobody waits for each confirmation.
    await respond(context, received, () =>
      isJoinable(known) ? received.message.ack() : received.message.ackAck(),
    );
    return 'handled';
  }
  await respond(context, received, () => received.message.nak(unavailableMs));
  return 'left';
}

async function handleOne(context: ConsumerContext, arrived: Arrived): Promise<Handled> {
  const [handled] = await handleTogether(context, [arrived]);
  return handled ?? { is: 'done' };
}

/** After this many deliveries without a response, the message may be what ended the process. */
const suspectAfter = 3;
const endsProcesses = 'The process ended each time the message was handled, even alone.';

/**
 * Whether a message may have ended processes. Its failure is counted before it is handled once more, because afterwards there
 * may be no process left to count it. A message that merely happened to be in a process that ended is then handled.
 */
async function isSuspect({ openEm, service }: ConsumerContext, { message }: Received, eventId: string) {
  const { deliveryCount } = message.info;
  if (deliveryCount <= suspectAfter) return false;
  return deliveryCount - 1 - (await failuresOf(openEm(), service, eventId)) >= suspectAfter;
}

/**
 * Counts the failure and, if it was the last one allowed, stores the message as a dead letter in the same transaction: its
 * delivery ends only when that is committed.
 */
async function fail(
  context: ConsumerContext,
  received: Received,
  eventId: string,
  { error, failures: counted }: Failure,
): Promise<Outcome> {
  const { message } = received;
  const { backoffMs, log, maxFailures, service, openEm } = context;
  const reason = String(error);
  const failures = await openEm().transactional(async (em) => {
    const failures = counted ?? (await countFailure(em, service, eventId, reason));
    if (failures < maxFailures) return failures;
    await addDeadLetter(em, message, { eventId, reason, failures });
    await forgetFailures(em, service, eventId);
    return failures;
  });
  if (failures >= maxFailures) return endDelivery(context, received, reason);
  log.warn(
    { err: error, subject: message.subject, failures },
    'a message could not be handled and will be retried',
  );
  // Without a delay the broker would redeliver it at once; its own backoff does not apply to `nak`.
  const delay = backoffMs[failures - 1] ?? backoffMs.at(-1) ?? unavailableMs;
  await respond(context, received, () => message.nak(delay));
  return 'failed';
}

/** Ends the delivery of a message that has become a dead letter. */
async function endDelivery(context: ConsumerContext, received: Received, reason: string): Promise<Outcome> {
  const { message } = received;
  context.log.error({ subject: message.subject, seq: message.seq, reason }, 'a message became a dead letter');
  await respond(context, received, () => message.term(reason.slice(0, 100).replace(/\s+/g, ' ')));
  return 'dead letter';
}

/**
 * Responds only on the connection on which the message was received. After a reconnection the stream may be a different
 * one of the same name, in which the response would apply to another message with the same number.
 */
async function respond(
  { broker, log }: ConsumerContext,
  { message, session }: Received,
  send: () => unknown,
) {
  if (!broker.connected() || broker.session() !== session) return;
  try {
    await send();
  } catch (error) {
    log.warn({ err: error, subject: message.subject }, 'a response to the broker was lost');
  }
}
