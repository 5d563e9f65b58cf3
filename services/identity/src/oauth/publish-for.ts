import { isUser } from '@crm/auth';
import type { EventType } from '@crm/events';
import { type Fact, publish } from '@crm/messaging';
import type { Context } from '@crm/service';
import type { z } from 'zod';

/**
 * Announces what was done in the name of a user. An operation that is open to anyone knows the user by a
 * session or a token that it read itself, and not as its actor; what the system did is said to be its doing.
 */
export function publishFor<Data extends z.ZodType>(
  { em, actor, requestId, now }: Context,
  userId: number,
  event: EventType<Data>,
  fact: Fact<Data>,
): void {
  publish({ em, actor: isUser(actor) ? `user/${userId}` : 'system', requestId, now }, event, fact);
}
