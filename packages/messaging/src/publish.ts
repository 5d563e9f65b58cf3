import { randomUUIDv7 } from 'node:crypto';
import { queryIn } from '@crm/data';
import { type CloudEvent, type EventType, subjectOf } from '@crm/events';
import { traceparent } from '@crm/telemetry';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import { type AuditedRecord, type AuditedRequest, auditRowsOf, insertAuditRows, rowOf } from './audit.ts';

/** The origin of an event: the unit of work, the actor, the request and the time. */
export interface EventOrigin {
  readonly em: EntityManager;
  /** `user/<id>` or `system`. */
  readonly actor: string;
  /** The broker who acted as the user: `user/<id>`. */
  readonly act?: string | undefined;
  readonly requestId: string;
  /** The span that caused it, if that is not the current one. */
  readonly traceparent?: string | undefined;
  readonly now: () => Date;
}

/** What an event is about, with its version after the change. Entities are aggregates. */
export interface Aggregate {
  readonly id: number | string;
  readonly version: number;
}

/** What the event of a removal is about: the removal is a version of its own after the last one. */
export const removalOf = ({ id, version }: Aggregate): Aggregate => ({ id, version: version + 1 });

/** A quarter of the broker's limit. Events are small; files must be transferred in another way. */
const maxBytes = 256 * 1024;

interface Pending {
  readonly events: PendingEvent[];
  request: AuditedRequest | undefined;
  /** Whether rows of the audit log were written. */
  isAudited: boolean;
}

interface PendingEvent {
  readonly event: CloudEvent;
  readonly text: string;
}

/** What transactions in progress will write. */
const pending = new WeakMap<EntityManager, Pending>();

/**
 * Records an event for the outbox; all events of a transaction are written together when it commits. The event is published
 * only if the caller's transaction commits, which is why services never publish to the broker directly. Throws outside a
 * transaction.
 */
export function publish<Data extends z.ZodType>(
  origin: EventOrigin,
  event: EventType<Data>,
  { id, version }: Aggregate,
  data: z.input<Data>,
): void {
  const span = origin.traceparent ?? traceparent();
  const created: CloudEvent = {
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
    ...(span !== undefined && { traceparent: span }),
    data: event.data.parse(data),
  };
  const text = JSON.stringify(created);
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes) {
    throw new Error(
      `The event "${event.name}" of ${created.subject} has ${bytes} bytes; the limit is ${maxBytes}.`,
    );
  }
  pendingOf(origin.em.getContext()).events.push({ event: created, text });
}

/**
 * Writes rows of the audit log when the transaction commits: one for each record that its events are about, or one without a
 * record.
 */
export function auditTransaction(em: EntityManager, request: AuditedRequest): void {
  pendingOf(em.getContext()).request = request;
}

/** Sets who made a request, once that is known from a session or a code. */
export function auditAs(
  em: EntityManager,
  who: { readonly userId: number } | { readonly clientId: string },
): void {
  const found = pending.get(em.getContext());
  if (!found?.request) return;
  const actorType = 'userId' in who ? undefined : found.request.actorType;
  found.request = { ...found.request, ...who, actorType };
}

/** Sets the record that a request has changed, if no event is about it and neither input nor response names it. */
export function auditChange(em: EntityManager, record: () => AuditedRecord): void {
  const found = pending.get(em.getContext());
  if (found?.request) found.request = { ...found.request, record };
}

/** What a transaction has not written yet. Each has an entity manager and listeners of its own. */
function pendingOf(em: EntityManager): Pending {
  const known = pending.get(em);
  if (known) return known;
  if (!em.isInTransaction()) throw new Error('An event can only be published in a transaction.');
  const found: Pending = { events: [], request: undefined, isAudited: false };
  pending.set(em, found);
  em.getEventManager().registerSubscriber({
    // An inner transaction has these listeners too. What was published before it is written before it, in this one.
    beforeTransactionStart: () => writeEvents(em),
    beforeTransactionCommit: async (committing) => {
      if (committing.em !== em) return;
      await writeEvents(em);
      await writeUnaudited(em, found);
    },
  });
  return found;
}

/** In one statement with the events, so that the audit log costs no round trip. */
const insertEvents = `
  with audited as (${insertAuditRows})
  insert into outbox (event_id, subject, payload)
  select (payload ->> 'id')::uuid, payload ->> 'type', payload
  from jsonb_array_elements($2::jsonb) with ordinality event (payload, position) order by position`;

/** Writes the events of a transaction that are pending, and what the audit log tells of them. */
export async function writeEvents(em: EntityManager): Promise<void> {
  const found = pending.get(em);
  const events = found?.events.splice(0) ?? [];
  if (!found || events.length === 0) return;
  found.isAudited = true;
  const rows = auditRowsOf(
    events.map(({ event }) => event),
    found.request,
  );
  await queryIn(em)(insertEvents, [JSON.stringify(rows), `[${events.map(({ text }) => text)}]`]);
}

/** A request that published nothing. */
async function writeUnaudited(em: EntityManager, { request, isAudited }: Pending) {
  const record = isAudited ? undefined : await request?.record();
  if (request && record) await queryIn(em)(insertAuditRows, [JSON.stringify([rowOf(record, request)])]);
}
