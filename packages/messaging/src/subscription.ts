import type { CloudEvent, EventType } from '@crm/events';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';

/** An event whose data has been validated by the schema of its publisher. */
type ReceivedEvent<Event extends EventType> = Omit<CloudEvent, 'data'> & {
  readonly data: z.output<Event['data']>;
};

/** The input of a handler: the event, and the transaction that also records it in the inbox. */
export interface Delivery<Event extends EventType = EventType> {
  readonly em: EntityManager;
  readonly event: ReceivedEvent<Event>;
}

/** The input of a handler of events that arrived together: the events in the order of their arrival, in one transaction. */
export interface Deliveries<Event extends EventType = EventType> {
  readonly em: EntityManager;
  readonly events: readonly ReceivedEvent<Event>[];
}

export interface Subscription {
  readonly event: EventType;
  /** What the consumer does with it, as a predicate: "adds the default contact sources". */
  readonly effect: string;
  /** Whether events that arrive together may share a transaction. */
  readonly isJoinable: boolean;
  readonly handle: (deliveries: Deliveries) => Promise<void>;
}

/**
 * Subscribes a handler to a type of event. It runs in a transaction and takes effect once, however often the event is
 * delivered. An event may be late: after a failure, newer events of the same aggregate overtake it, so a handler that
 * copies state must compare `aggregateversion` in the statement that writes. It may also be from before the subscription, as old
 * as the oldest one that the broker has.
 */
export function on<Data extends z.ZodType>(
  event: EventType<Data>,
  effect: string,
  handle: (delivery: Delivery<EventType<Data>>) => Promise<void>,
): Subscription {
  const handleEach = async ({ em, events }: Deliveries<EventType<Data>>) => {
    for (const one of events) await handle({ em, event: one });
  };
  return { ...onAll(event, effect, handleEach), isJoinable: false };
}

/**
 * Subscribes a handler to a type of event that comes in great numbers: it gets all events that arrive together, of different
 * aggregates. If it fails, it gets them one by one, so that only those that cannot be handled fail.
 */
export function onAll<Data extends z.ZodType>(
  event: EventType<Data>,
  effect: string,
  handle: (deliveries: Deliveries<EventType<Data>>) => Promise<void>,
): Subscription {
  return {
    event,
    effect,
    isJoinable: true,
    handle: ({ em, events }) =>
      handle({
        em,
        events: events.map((received) => ({ ...received, data: event.data.parse(received.data) })),
      }),
  };
}

/** The services whose events are subscribed to. */
export function publishersOf(subscriptions: readonly Pick<Subscription, 'event'>[]): string[] {
  return [...new Set(subscriptions.map(({ event }) => event.service))];
}
