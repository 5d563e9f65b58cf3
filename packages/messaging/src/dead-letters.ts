import type { StoredMsg } from '@nats-io/jetstream';
import type { Broker } from './broker.ts';
import { type DeadLetter, readDeadLetter, redriveOf } from './dead-letter.ts';
import { deadLetters, ensureDeadLetterStream, streamOf } from './stream.ts';

export interface DeadLetterFilter {
  /** Only those of this consumer. */
  readonly service?: string;
  /** Only those after this number, for the next page. */
  readonly after?: number;
  readonly limit?: number;
}

/** The messages that could not be handled, the oldest first. */
export async function listDeadLetters(broker: Broker, filter: DeadLetterFilter = {}): Promise<DeadLetter[]> {
  const { service = '*', after = 0, limit = 100 } = filter;
  await ensureDeadLetterStream(broker);
  const { direct } = broker.session().jsm;
  const subject = `crm-dead-letters.${service}.>`;
  const found: DeadLetter[] = [];
  let seq = after;
  while (found.length < limit) {
    const stored: StoredMsg | null = await direct.getMessage(deadLetters, {
      seq: seq + 1,
      next_by_subj: subject,
    });
    if (!stored) break;
    found.push(readDeadLetter(stored));
    seq = stored.seq;
  }
  return found;
}

export async function showDeadLetter(broker: Broker, seq: number): Promise<DeadLetter | undefined> {
  await ensureDeadLetterStream(broker);
  const stored = await broker.session().jsm.direct.getMessage(deadLetters, { seq });
  return stored ? readDeadLetter(stored) : undefined;
}

/**
 * Redelivers a message to the consumer that failed, and then removes the dead letter. The message returns to its
 * publisher's stream under a subject that only this consumer receives. After a crash in between, redriving again is
 * harmless: for some minutes the broker drops the duplicate, later the inbox does.
 */
export async function redriveDeadLetter(broker: Broker, seq: number): Promise<void> {
  const letter = await showDeadLetter(broker, seq);
  if (!letter) throw new Error(`The dead letter ${seq} does not exist.`);
  const { publisher, subject, headers, data, id } = redriveOf(letter);
  const { js, jsm } = broker.session();
  await js.publish(subject, data, { msgID: id, headers, expect: { streamName: streamOf(publisher) } });
  await jsm.streams.deleteMessage(deadLetters, seq);
}
