import type { CloudEvent } from '@crm/events';
import { defineEntity, p } from '@mikro-orm/core';

const OutboxMessageSchema = defineEntity({
  name: 'OutboxMessage',
  tableName: 'outbox',
  properties: {
    id: p.bigint('string').primary().autoincrement(),
    event_id: p.uuid().unique(),
    subject: p.text(),
    payload: p.json<CloudEvent>(),
    created_at: p.datetime().defaultRaw('now()'),
    published_at: p.datetime().nullable(),
  },
});

/** A domain event that waits for the relay, or was published in the last days. */
export class OutboxMessage extends OutboxMessageSchema.class {}
OutboxMessageSchema.setClass(OutboxMessage);
