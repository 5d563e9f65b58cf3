import { system } from '@crm/auth';
import { queryIn } from '@crm/data';
import type { Delivery } from '@crm/messaging';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from './context.ts';

/** What code needs to write in a transaction, in a request, in a worker or for a domain event. There need not be a user. */
export type TransactionContext = Pick<Context, 'em' | 'query' | 'actor' | 'requestId' | 'now'>;

/** A transaction in which a worker acts as the system, at one moment. */
export const systemContext = (em: EntityManager, requestId: string, now: Date): TransactionContext => ({
  em,
  query: queryIn(em),
  actor: system,
  requestId,
  now: () => now,
});

/** The transaction in which a domain event is handled, at the time at which it was published. */
export const deliveryContext = ({ em, event }: Delivery): TransactionContext =>
  systemContext(em, event.requestid, new Date(event.time));
