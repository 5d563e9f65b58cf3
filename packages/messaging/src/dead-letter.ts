import type { JsMsg } from '@nats-io/jetstream';
import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { redelivery } from './stream.ts';

/** A message that could not be handled, in full, with its failure. */
export interface DeadLetter {
  /** Its number among the dead letters. */
  readonly seq: number;
  readonly diedAt: Date;
  /** The service that could not handle it. */
  readonly consumer: string;
  readonly reason: string;
  readonly deliveries: number;
  /** The subject of the original message. */
  readonly subject: string;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly data: Uint8Array;
}

/** The original subject of a message that is delivered again. */
export const subjectHeader = 'Crm-Subject';

const names = {
  consumer: 'Crm-Consumer',
  reason: 'Crm-Reason',
  deliveries: 'Crm-Deliveries',
  subject: subjectHeader,
  headers: 'Crm-Headers',
} as const;

const maxReasonLength = 2_000;

/** The original subject of a message, also if it was redriven. The header counts only then: a publisher may set any. */
export const originalSubjectOf = ({ headers, subject }: JsMsg) =>
  (subject.startsWith('crm-redrive.') && headers?.get(names.subject)) || subject;

/**
 * The message to store in the dead letters: the original data, byte for byte, and the rest in headers, as JSON because
 * line breaks and control characters would not survive in a header.
 */
export function deadLetterOf(message: JsMsg, consumer: string, reason: string) {
  const letter = headers();
  letter.set(names.consumer, consumer);
  letter.set(names.reason, JSON.stringify(reason.slice(0, maxReasonLength)));
  letter.set(names.deliveries, String(message.info.deliveryCount));
  letter.set(names.subject, originalSubjectOf(message));
  letter.set(names.headers, JSON.stringify(recordOf(message.headers)));
  return {
    subject: `crm-dead-letters.${consumer}.${originalSubjectOf(message).replace(/^crm\./, '')}`,
    headers: letter,
    data: message.data,
    // If an acknowledgement is lost, the same delivery may be moved twice. A redriven message that fails again is
    // another one.
    id: `dead-${consumer}-${message.info.stream}-${message.seq}-${message.timestampNanos}`,
  };
}

export interface Stored {
  readonly seq: number;
  readonly time: Date;
  readonly header: MsgHdrs;
  readonly data: Uint8Array;
}

export function readDeadLetter({ seq, time, header, data }: Stored): DeadLetter {
  return {
    seq,
    diedAt: time,
    consumer: header.get(names.consumer),
    reason: JSON.parse(header.get(names.reason)),
    deliveries: Number(header.get(names.deliveries)),
    subject: header.get(names.subject),
    headers: JSON.parse(header.get(names.headers)),
    data,
  };
}

/** Headers with instructions for the broker, which must not apply again. */
const brokerHeaders = /^nats-/i;

/** The message that redelivers a dead letter to the consumer that failed, and to no other. */
export function redriveOf(letter: DeadLetter) {
  const copied = headers();
  for (const [name, values] of Object.entries(letter.headers)) {
    if (!brokerHeaders.test(name)) for (const value of values) copied.append(name, value);
  }
  copied.set(names.subject, letter.subject);
  return {
    ...redelivery(letter.subject, letter.consumer),
    headers: copied,
    data: letter.data,
    id: `redrive-${letter.seq}-${letter.diedAt.getTime()}`,
  };
}

function recordOf(from: MsgHdrs | undefined): Record<string, string[]> {
  return Object.fromEntries((from?.keys() ?? []).map((name) => [name, from?.values(name) ?? []]));
}
