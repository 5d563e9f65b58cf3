import type { JsMsg } from '@nats-io/jetstream';
import type { Session } from './broker.ts';
import { deadLetterOf } from './dead-letter.ts';
import { fault } from './fault.ts';
import { enterInbox } from './inbox.ts';
import type { Listener } from './listener.ts';
import { pause } from './pause.ts';
import type { Reading, Understood } from './read-event.ts';

/** How long to wait for a database or a broker that is away, message in hand. */
const unavailableMs = 1_000;

/** A message, the connection it came by, and what it says. */
export interface Received {
  readonly message: JsMsg;
  readonly session: Session;
  readonly reading: Reading;
}

/** Handles one message and answers the broker. It never throws, and acknowledges nothing because it failed. */
export async function receive(listener: Listener, received: Received): Promise<void> {
  const { message, reading } = received;
  // Tells the broker in time that the message is still in hand, so that nobody else gets it.
  const beat = setInterval(() => answer(listener, received, () => message.working()), listener.ackWaitMs / 3);
  try {
    if (reading.poison !== undefined) return await bury(listener, received, reading.poison);
    const failure = await attempt(listener, received, reading);
    if (failure) await fail(listener, received, failure);
  } catch (error) {
    listener.log.error({ err: error, subject: message.subject }, 'a message was left without an answer');
  } finally {
    clearInterval(beat);
  }
}

/**
 * Runs the handlers in one transaction with the inbox, and says why they failed, if so. While the database is
 * away it waits with the message in hand, because failures are counted and this is none of the message's.
 */
async function attempt(
  listener: Listener,
  received: Received,
  { event, subscriptions }: Understood,
): Promise<{ error: unknown } | undefined> {
  while (!listener.stopping.aborted) {
    let entered = false;
    try {
      await listener.openEm().transactional(async (em) => {
        const fresh = await enterInbox(em, listener.service, event.id);
        entered = true;
        if (!fresh) return;
        demandAnswerable(listener, received);
        if (subscriptions.length === 0) throw new Error(`Nothing here listens to «${event.type}».`);
        for (const { handle } of subscriptions) await handle({ em, event });
      });
    } catch (error) {
      if (entered) return { error };
      listener.log.error({ err: error, event: event.id }, 'a message waits because the database is away');
      await pause(unavailableMs, listener.stopping);
      continue;
    }
    await fault('consumer.committed');
    // Confirmed by the broker; if that fails the message comes again, and the inbox knows it.
    await answer(listener, received, () => received.message.ackAck());
    return undefined;
  }
  await answer(listener, received, () => received.message.nak(unavailableMs));
  return undefined;
}

/** A message that came too often without an answer ended the process each time; one more try would again. */
function demandAnswerable({ maxDeliver }: Listener, { message }: Received) {
  const { deliveryCount } = message.info;
  if (deliveryCount > maxDeliver)
    throw new Error(`It was delivered ${deliveryCount} times without an answer.`);
}

async function fail(listener: Listener, received: Received, { error }: { error: unknown }) {
  const { message } = received;
  const { deliveryCount } = message.info;
  if (deliveryCount >= listener.maxDeliver) return bury(listener, received, String(error));
  const { backoffMs, log } = listener;
  log.warn({ err: error, subject: message.subject, deliveryCount }, 'a message could not be handled yet');
  // Without a delay the broker would send it again at once, for ever; its own backoff does not apply here.
  const delay = backoffMs[deliveryCount - 1] ?? backoffMs.at(-1) ?? unavailableMs;
  await answer(listener, received, () => message.nak(delay));
}

/** Puts the message among the dead letters, and only when the broker has it there, ends its delivery. */
async function bury(listener: Listener, received: Received, reason: string) {
  const { message } = received;
  const { subject, headers, data, id } = deadLetterOf(message, listener.service, reason);
  while (!listener.stopping.aborted) {
    try {
      await listener.broker.session().js.publish(subject, data, { msgID: id, headers });
    } catch (error) {
      listener.log.error({ err: error, subject }, 'a dead letter cannot be written');
      await pause(unavailableMs, listener.stopping);
      continue;
    }
    listener.log.error({ subject: message.subject, seq: message.seq, reason }, 'a message is a dead letter');
    return answer(listener, received, () => message.term(reason.slice(0, 100).replace(/\s+/g, ' ')));
  }
}

/**
 * Answers only on the connection the message came by. After a reconnection the stream may be another one of
 * the same name, where the answer would count for another message of the same number.
 */
async function answer({ broker, log }: Listener, { message, session }: Received, say: () => unknown) {
  if (!broker.connected() || broker.session() !== session) return;
  try {
    await say();
  } catch (error) {
    log.warn({ err: error, subject: message.subject }, 'an answer to the broker was lost');
  }
}
