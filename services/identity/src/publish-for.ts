import { actingName, isUser } from '@crm/auth';
import type { EventType } from '@crm/events';
import { type Aggregate, type EventOrigin, publish } from '@crm/messaging';
import type { Context } from '@crm/service';
import type { z } from 'zod';

/**
 * Publishes an event with a user as its actor. An operation that is open to anyone knows the user from a session or a
 * token that it read itself, not from its context. What the system did keeps the system as its actor.
 */
export function publishFor<Data extends z.ZodType>(
  ctx: Context,
  userId: number,
  event: EventType<Data>,
  entity: Aggregate,
  data: z.input<Data>,
): void {
  publish(originFor(ctx, userId), event, entity, data);
}

const originFor = ({ em, actor, requestId, now }: Context, userId: number): EventOrigin => ({
  em,
  actor: isUser(actor) ? `user/${userId}` : 'system',
  act: actingName(actor),
  requestId,
  now,
});
