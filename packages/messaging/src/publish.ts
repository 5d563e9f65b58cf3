import { randomUUIDv7 } from 'node:crypto';
import { type CloudEvent, type EventType, subjectOf } from '@crm/events';
import type { EntityManager } from '@mikro-orm/core';
import type { z } from 'zod';

/** The origin of an event: the unit of work, the actor, the request and the time. */
export interface Origin {
  readonly em: EntityManager;
  /** `user/<id>` or `system`. */
  readonly actor: string;
  /** The broker who acted as the user: `user/<id>`. */
  readonly act?: string | undefined;
  readonly requestId: string;
  readonly now: () => Date;
}

/** What an event is about, with its version after the change. Entities are aggregates. */
export interface Aggregate {
  readonly id: number | string;
  readonly version: number;
}

/** A quarter of the broker's limit. Events are small; files must be transferred in another way. */
const maxBytes = 256 * 1024;

/** The events of transactions in progress. */
const pending = new WeakMap<EntityManager, CloudEvent[]>();

/**
 * Records an event for the outbox, to which the events of a transaction are written together when it commits. It is
 * published if the caller's transaction commits, and not otherwise, which is why services never publish to the broker
 * directly. Throws outside a transaction.
 */
export function publish<Data extends z.ZodType>(
  origin: Origin,
  event: EventType<Data>,
  { id, version }: Aggregate,
  data: z.input<Data>,
): void {
  const payload: CloudEvent = {
    specversion: '1.0',
    id: randomUUIDv7(),
    source: `crm/${event.service}`,
    type: subjectOf(event),
    subject: `${event.noun}/${id}`,
    time: origin.now().toISOString(),
    datacontenttype: 'application/json',
    aggregateversion: version,
    actor: origin.actor,
    ...(origin.act !== undefined && { act: origin.act }),
    requestid: origin.requestId,
    data: event.data.parse(data),
  };
  const bytes = Buffer.byteLength(JSON.stringify(payload));
  if (bytes > maxBytes) {
    throw new Error(
      `The event "${event.name}" of ${payload.subject} has ${bytes} bytes; the limit is ${maxBytes}.`,
    );
  }
  pendingOf(origin.em.getContext()).push(payload);
}

/** Records the removal of an aggregate, which is a version of its own after the last one. */
export function publishRemoval<Data extends z.ZodType>(
  origin: Origin,
  event: EventType<Data>,
  { id, version }: Aggregate,
  data: z.input<Data>,
): void {
  publish(origin, event, { id, version: version + 1 }, data);
}

/** The events of a transaction that are not written yet. Each transaction has an entity manager and listeners of its own. */
function pendingOf(em: EntityManager): CloudEvent[] {
  const known = pending.get(em);
  if (known) return known;
  if (!em.isInTransaction()) throw new Error('An event can only be published in a transaction.');
  const events: CloudEvent[] = [];
  pending.set(em, events);
  em.getEventManager().registerSubscriber({
    // An inner transaction has these listeners too. What was published before it is written before it, in this one.
    beforeTransactionStart: () => writeEvents(em),
    beforeTransactionCommit: async (committing) => {
      if (committing.em === em) await writeEvents(em);
    },
  });
  return events;
}

const insertEvents = `
  insert into outbox (event_id, subject, payload)
  select (payload ->> 'id')::uuid, payload ->> 'type', payload
  from jsonb_array_elements(?::jsonb) with ordinality event (payload, position) order by position`;

/** Writes the events of a transaction that are pending. */
export async function writeEvents(em: EntityManager): Promise<void> {
  const events = pending.get(em)?.splice(0) ?? [];
  if (events.length === 0) return;
  await em.getConnection().execute(insertEvents, [JSON.stringify(events)], 'run', em.getTransactionContext());
}
