import { system } from '@crm/auth';
import { queryIn } from '@crm/data';
import type { Delivery } from '@crm/messaging';
import type { Context } from '@crm/service';

/** What is written with in a transaction, whoever began it: nobody is asked for who they are. */
export type TransactionContext = Pick<Context, 'em' | 'query' | 'actor' | 'requestId' | 'now'>;

/** The transaction that an event is heard in, at the time at which the event was said. */
export function contextOf({ em, event: { time, requestid } }: Delivery<unknown>): TransactionContext {
  const at = new Date(time);
  return { em, query: queryIn(em), actor: system, requestId: requestid, now: () => at };
}
