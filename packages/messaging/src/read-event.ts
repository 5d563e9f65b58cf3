import { CloudEvent, subjectOf } from '@crm/events';
import type { JsMsg } from '@nats-io/jetstream';
import { originalSubjectOf } from './dead-letter.ts';
import type { Subscription } from './subscription.ts';

/** An event with the subscriptions to it. */
export interface KnownEvent {
  readonly event: CloudEvent;
  readonly subscriptions: readonly Subscription[];
  readonly poison?: undefined;
}

/** The event in a message, or why the message is invalid and can never be handled. */
export type ReadResult = KnownEvent | { readonly poison: string };

/**
 * Only what comes from the stream of a publisher is its event: whoever publishes chooses the contents of a message and its
 * headers, but not the stream. An event of an unknown type is not poison: during a deployment an older instance receives events that only newer ones
 * know. It has no subscriptions, and fails like a handler.
 */
export function readEvent(message: JsMsg, publisher: string, all: readonly Subscription[]): ReadResult {
  const text = json(message);
  if (text.poison) return { poison: text.poison };
  const { data: event, error } = CloudEvent.safeParse(text.value);
  if (error) return { poison: `The message is not an event: ${error.message}` };
  const subject = originalSubjectOf(message);
  if (!subject.startsWith(`crm.${publisher}.`))
    return { poison: `"${subject}" is no event of "${publisher}", whose stream it comes from.` };
  if (event.type !== subject)
    return { poison: `The type of the event is "${event.type}", but its subject is "${subject}".` };
  const subscriptions = all.filter((subscription) => subjectOf(subscription.event) === event.type);
  for (const subscription of subscriptions) {
    const parsed = subscription.event.data.safeParse(event.data);
    if (parsed.error) return { poison: `The data does not match the schema: ${parsed.error.message}` };
  }
  return { event, subscriptions };
}

function json(message: JsMsg) {
  try {
    return { value: message.json<unknown>() };
  } catch (error) {
    return { poison: `The message is not JSON: ${error}` };
  }
}
