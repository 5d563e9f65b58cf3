import { randomUUIDv7 } from 'node:crypto';
import { type CloudEvent, type EventType, subjectOf } from '@crm/events';
import type { EntityManager } from '@mikro-orm/core';
import type { z } from 'zod';
import { OutboxMessage } from './outbox-message.entity.ts';

/** Where an event comes from: the unit of work of its fact, who did it, in which request, and what time it was. */
export interface Origin {
  readonly em: EntityManager;
  /** `user/<id>` or `system`. */
  readonly actor: string;
  readonly requestId: string;
  readonly now: () => Date;
}

/** What an event is about, in the version that it has after the fact. An entity is one. */
export interface Aggregate {
  readonly id: number | string;
  readonly version: number;
}

/** A quarter of what the broker takes. Events tell what happened; files travel otherwise. */
const mostBytes = 256 * 1024;

/**
 * Records an event for sending. It leaves with the caller's flush or transaction or not at all, which is why
 * nothing in a service talks to the broker directly.
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
    requestid: origin.requestId,
    data: event.data.parse(data),
  };
  const bytes = Buffer.byteLength(JSON.stringify(payload));
  if (bytes > mostBytes) {
    throw new Error(
      `An event may have ${mostBytes} bytes; "${event.name}" of ${payload.subject} has ${bytes}.`,
    );
  }
  origin.em.persist(
    origin.em.create(OutboxMessage, { event_id: payload.id, subject: subjectOf(event), payload }),
  );
}

/** Records the removal of an aggregate: a version of its own, one after the last. */
export function publishRemoval<Data extends z.ZodType>(
  origin: Origin,
  event: EventType<Data>,
  { id, version }: Aggregate,
  data: z.input<Data>,
): void {
  publish(origin, event, { id, version: version + 1 }, data);
}
