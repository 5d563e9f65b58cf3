import { actingName, isUser } from '@crm/auth';
import type { EventType } from '@crm/events';
import { type Aggregate, publish } from '@crm/messaging';
import type { Context } from '@crm/service';
import type { z } from 'zod';

/**
 * Publishes an event with a user as its actor. A public operation learns the user from a session or token that it reads
 * itself, not from its context. Events of the system keep the system as their actor.
 */
export function publishFor<Data extends z.ZodType>(
  ctx: Context,
  userId: number,
  event: EventType<Data>,
  entity: Aggregate,
  data: z.input<Data>,
): void {
  const actor = isUser(ctx.actor) ? `user/${userId}` : 'system';
  const { em, requestId, now } = ctx;
  publish({ em, actor, act: actingName(ctx.actor), requestId, now }, event, entity, data);
}
