import type { JsMsg } from '@nats-io/jetstream';
import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { redriveSubject } from './stream.ts';

/** A message that could not be handled, whole, with what is known of its failure. */
export interface DeadLetter {
  /** Its number among the dead letters, by which it is shown and redriven. */
  readonly seq: number;
  readonly diedAt: Date;
  /** The service that could not handle it. */
  readonly consumer: string;
  readonly reason: string;
  readonly deliveries: number;
  /** Of the message as it was first sent. */
  readonly subject: string;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly data: Uint8Array;
}

const names = {
  consumer: 'Crm-Consumer',
  reason: 'Crm-Reason',
  deliveries: 'Crm-Deliveries',
  subject: 'Crm-Subject',
  headers: 'Crm-Headers',
} as const;

const longestReason = 2_000;

/** The subject under which a message was first sent, also when it was redriven. */
export const firstSubjectOf = (message: JsMsg) => message.headers?.get(names.subject) || message.subject;

/**
 * What is sent to the dead letters: the data as it came, byte for byte, and the rest in headers, as JSON text
 * because a line break or a control character would not survive in a header.
 */
export function deadLetterOf(message: JsMsg, consumer: string, reason: string) {
  const letter = headers();
  letter.set(names.consumer, consumer);
  letter.set(names.reason, JSON.stringify(reason.slice(0, longestReason)));
  letter.set(names.deliveries, String(message.info.deliveryCount));
  letter.set(names.subject, firstSubjectOf(message));
  letter.set(names.headers, JSON.stringify(recordOf(message.headers)));
  return {
    subject: `crm-dead-letters.${consumer}.${firstSubjectOf(message).replace(/^crm\./, '')}`,
    headers: letter,
    data: message.data,
    // The same delivery may be buried twice when an acknowledgement is lost, but a redriven message that
    // fails again is another one.
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

/** Headers by which the broker judged the message when it was first sent, and must not judge it again. */
const ofTheBroker = /^nats-/i;

/** What is sent to have the consumer that failed, and no other, hear the message again. */
export function redriveOf(letter: DeadLetter) {
  const again = headers();
  for (const [name, values] of Object.entries(letter.headers)) {
    if (!ofTheBroker.test(name)) for (const value of values) again.append(name, value);
  }
  again.set(names.subject, letter.subject);
  const [, publisher = '', ...rest] = letter.subject.split('.');
  return {
    publisher,
    subject: `${redriveSubject(publisher, letter.consumer)}.${rest.join('.')}`,
    headers: again,
    data: letter.data,
    id: `redrive-${letter.seq}-${letter.diedAt.getTime()}`,
  };
}

function recordOf(from: MsgHdrs | undefined): Record<string, string[]> {
  return Object.fromEntries((from?.keys() ?? []).map((name) => [name, from?.values(name) ?? []]));
}
