import type { CloudEvent, EventType } from '@crm/events';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';

/** An event whose data has the shape its publisher declared. */
export type ReceivedEvent<Data> = Omit<CloudEvent, 'data'> & { readonly data: Data };

/** What a handler gets: the transaction that also records that the event was received, and the event. */
export interface Delivery<Data> {
  readonly em: EntityManager;
  readonly event: ReceivedEvent<Data>;
}

export interface Subscription {
  readonly event: EventType;
  /** What the listener does because of it, as a predicate: «gives it the usual contact sources». */
  readonly effect: string;
  readonly handle: (delivery: Delivery<unknown>) => Promise<void>;
}

/**
 * Runs the handler for each event of the type, in a transaction and with effect once, however often the event
 * comes. It may come late: after a failure, younger events of the same aggregate overtake it, so a handler
 * that copies state must compare `aggregateversion` in the statement that writes.
 */
export function on<Data extends z.ZodType>(
  event: EventType<Data>,
  effect: string,
  handle: (delivery: Delivery<z.output<Data>>) => Promise<void>,
): Subscription {
  return {
    event,
    effect,
    handle: ({ em, event: heard }) => handle({ em, event: { ...heard, data: event.data.parse(heard.data) } }),
  };
}
