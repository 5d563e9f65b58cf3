import { actorName } from '@crm/auth';
import type { EventType } from '@crm/events';
import { type Fact, publish as record } from '@crm/messaging';
import type { z } from 'zod';
import type { Context } from './context.ts';

/** Announces a fact in the transaction that makes it one: both happen, or neither. */
export function publish<Data extends z.ZodType>(
  { em, actor, requestId, now }: Pick<Context, 'em' | 'actor' | 'requestId' | 'now'>,
  event: EventType<Data>,
  fact: Fact<Data>,
): void {
  record({ em, actor: actorName(actor), requestId, now }, event, fact);
}
