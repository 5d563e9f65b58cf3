import { CloudEvent, subjectOf } from '@crm/events';
import type { JsMsg } from '@nats-io/jetstream';
import { redrivePrefix } from './stream-name.ts';
import type { Subscription } from './subscription.ts';

/** The original subject of a message that is delivered again. */
export const subjectHeader = 'Crm-Subject';

/**
 * The original subject of a message, even if it was redelivered. The header counts only for redelivered messages, because a
 * publisher may set any header.
 */
export const originalSubjectOf = ({ headers, subject }: JsMsg): string =>
  (subject.startsWith(redrivePrefix) && headers?.get(subjectHeader)) || subject;

/** A message as it was published. */
interface Message {
  readonly subject: string;
  readonly data: Uint8Array;
}

/** An event with the subscriptions to it. */
export interface KnownEvent {
  readonly event: CloudEvent;
  readonly subscriptions: readonly Subscription[];
  /** Why no handler here can read the data, which a newer publisher may have written. */
  readonly mismatch: string | undefined;
  readonly poison?: undefined;
}

/** The event in a message, or why the message is invalid and can never be handled. */
export type ReadResult = KnownEvent | { readonly poison: string };

/**
 * Only what comes from the stream of a publisher is its event: a publisher chooses the contents and headers of a message, but
 * not the stream. An event of an unknown type is not poison, nor is one whose data does not match: during a deployment, older
 * instances receive events that only newer ones know. Such events fail as if their handler had failed.
 */
export function readEvent(
  { subject, data }: Message,
  publisher: string,
  all: readonly Subscription[],
): ReadResult {
  const text = json(data);
  if (text.poison) return { poison: text.poison };
  const { data: event, error } = CloudEvent.safeParse(text.value);
  if (error) return { poison: `The message is not an event: ${error.message}` };
  if (!subject.startsWith(`crm.${publisher}.`))
    return { poison: `"${subject}" is not an event of "${publisher}", but comes from its stream.` };
  if (event.type !== subject)
    return { poison: `The type of the event is "${event.type}", but its subject is "${subject}".` };
  const subscriptions = all.filter((subscription) => subjectOf(subscription.event) === event.type);
  const mismatches = subscriptions.flatMap(({ event: { data } }) => data.safeParse(event.data).error ?? []);
  const mismatch = mismatches[0] && `The data does not match the schema: ${mismatches[0].message}`;
  return { event, subscriptions, mismatch };
}

function json(data: Uint8Array) {
  try {
    return { value: JSON.parse(new TextDecoder().decode(data)) as unknown };
  } catch (error) {
    return { poison: `The message is not JSON: ${error}` };
  }
}
