import { system } from '@crm/auth';
import { queryIn } from '@crm/data';
import type { Delivery } from '@crm/messaging';
import type { Context } from '@crm/service';

/** What code that writes in a transaction needs, in a request or for a domain event: there need not be a user. */
export type TransactionContext = Pick<Context, 'em' | 'query' | 'actor' | 'requestId' | 'now'>;

/** The transaction in which a domain event is handled, at the time at which it was published. */
export function contextOf({ em, event: { time, requestid } }: Delivery<unknown>): TransactionContext {
  const at = new Date(time);
  return { em, query: queryIn(em), actor: system, requestId: requestid, now: () => at };
}
