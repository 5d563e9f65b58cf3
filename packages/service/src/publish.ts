import { actingName, actorName } from '@crm/auth';
import type { EventType } from '@crm/events';
import { type Aggregate, type EventOrigin, publish as record } from '@crm/messaging';
import type { z } from 'zod';
import type { Context } from './context.ts';

/** What an event is published with. */
export type Publishing = Pick<Context, 'em' | 'actor' | 'requestId' | 'now'>;

/** Publishes an event about an entity in the transaction of the change: both are committed, or neither. */
export function publish<Data extends z.ZodType>(
  ctx: Publishing,
  event: EventType<Data>,
  entity: Aggregate,
  data: z.input<Data>,
): void {
  record(eventOriginOf(ctx), event, entity, data);
}

const eventOriginOf = ({ em, actor, requestId, now }: Publishing): EventOrigin => ({
  em,
  actor: actorName(actor),
  act: actingName(actor),
  requestId,
  now,
});
