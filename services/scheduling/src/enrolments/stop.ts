import type { Context, TransactionContext } from '@crm/service';
import { end } from '../enrolment-ends/enrolment-end.queries.ts';
import { type Counts, endScopeOf, type StopScope } from './enrolment.queries.ts';
import { removeStopped } from './remove-stopped.ts';

/** How long a request removes rows; the rest is left to the worker. */
const budgetMs = 500;

/**
 * Stops a contact in a campaign, or all contacts in one, permanently. Nothing is sent or created for it from then on; its rows
 * are removed afterwards, because there may be more than one transaction can remove.
 */
export async function stop(ctx: TransactionContext, scope: StopScope): Promise<void> {
  await end(ctx.query, endScopeOf(scope), ctx.now());
}

/** Removes as many rows of a stopped scope as a request has time for, and returns how many it removed itself. */
export async function removeAtOnce(ctx: Context, scope: StopScope): Promise<Counts> {
  const origin = { actor: ctx.actor, requestId: ctx.requestId, now: ctx.now };
  try {
    return await removeStopped(ctx.em, origin, endScopeOf(scope), performance.now() + budgetMs);
  } catch (error) {
    ctx.log.warn({ err: error, ...scope }, 'what a campaign would have sent is removed later');
    return { communications: 0, tasks: 0 };
  }
}
