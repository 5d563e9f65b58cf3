import { isUser } from '@crm/auth';
import type { EventType } from '@crm/events';
import { type Aggregate, type Origin, publish, publishRemoval } from '@crm/messaging';
import type { Context } from '@crm/service';
import type { z } from 'zod';

/**
 * Publishes what was done in the name of a user. An operation that is open to anyone knows the user by a session or a
 * token that it read itself, and not as its actor; what the system did has the system as its actor.
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

/** The same for a removal, as one version after the last. */
export function publishRemovalFor<Data extends z.ZodType>(
  ctx: Context,
  userId: number,
  event: EventType<Data>,
  entity: Aggregate,
  data: z.input<Data>,
): void {
  publishRemoval(originFor(ctx, userId), event, entity, data);
}

const originFor = ({ em, actor, requestId, now }: Context, userId: number): Origin => ({
  em,
  actor: isUser(actor) ? `user/${userId}` : 'system',
  requestId,
  now,
});
