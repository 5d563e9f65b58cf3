import { offerChanged } from '@crm/events';
import { publish, type TransactionContext } from '@crm/service';
import { startNextTurn } from './offer.queries.ts';
import { offerEventData } from './offer-event-data.ts';

/** Begins the next turn of a locked lead, unless somebody has a turn now. */
export async function beginNextTurn(ctx: TransactionContext, leadId: number): Promise<void> {
  for (const { notify_at, ...next } of await startNextTurn(ctx.query, leadId))
    publish(ctx, offerChanged, next, { ...offerEventData(next), notify_at: notify_at.toISOString() });
}
