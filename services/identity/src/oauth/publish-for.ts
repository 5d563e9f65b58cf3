import type { EventType } from '@crm/events';
import { type Fact, publish } from '@crm/messaging';
import type { Context } from '@crm/service';
import type { z } from 'zod';

/**
 * Announces what a user did in an operation that is open to anyone: the user is known by a session or a token
 * that the operation read itself, and not as its actor.
 */
export function publishFor<Data extends z.ZodType>(
  { em, requestId, now }: Context,
  userId: number,
  event: EventType<Data>,
  fact: Fact<Data>,
): void {
  publish({ em, actor: `user/${userId}`, requestId, now }, event, fact);
}
