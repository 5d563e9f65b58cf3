import { CloudEvent, subjectOf } from '@crm/events';
import type { JsMsg } from '@nats-io/jetstream';
import { firstSubjectOf } from './dead-letter.ts';
import type { Subscription } from './subscription.ts';

/** An event, and who here listens to it. */
export interface Understood {
  readonly event: CloudEvent;
  readonly subscriptions: readonly Subscription[];
  readonly poison?: undefined;
}

/** A message as this service understands it, or why nobody ever will. */
export type Reading = Understood | { readonly poison: string };

/**
 * An event of a type this service does not know is no poison: while instances are replaced by newer ones, an
 * older one gets what only the newer understands. It has no subscriptions, and fails like a handler.
 */
export function readEvent(message: JsMsg, all: readonly Subscription[]): Reading {
  const text = json(message);
  if (text.poison) return { poison: text.poison };
  const { data: event, error } = CloudEvent.safeParse(text.value);
  if (error) return { poison: `It is not an event: ${error.message}` };
  const subject = firstSubjectOf(message);
  if (event.type !== subject) return { poison: `It says it is «${event.type}», but came as «${subject}».` };
  const subscriptions = all.filter((subscription) => subjectOf(subscription.event) === event.type);
  for (const subscription of subscriptions) {
    const parsed = subscription.event.data.safeParse(event.data);
    if (parsed.error) return { poison: `Its data is not as declared: ${parsed.error.message}` };
  }
  return { event, subscriptions };
}

function json(message: JsMsg) {
  try {
    return { value: message.json<unknown>() };
  } catch (error) {
    return { poison: `It is not JSON: ${error}` };
  }
}
