import { randomUUIDv7 } from 'node:crypto';
import { type CloudEvent, type EventType, subjectOf } from '@crm/events';
import type { EntityManager } from '@mikro-orm/core';
import type { z } from 'zod';
import { OutboxMessage } from './outbox-message.entity.ts';

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

/**
 * Records an event in the outbox. It is published if the caller's transaction commits, and not otherwise, which is why
 * services never publish to the broker directly.
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
  origin.em.persist(
    origin.em.create(OutboxMessage, { event_id: payload.id, subject: subjectOf(event), payload }),
  );
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
