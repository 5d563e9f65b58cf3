import { leadReturned, offerRemoved } from '@crm/events';
import { removalOf } from '@crm/messaging';
import { publish, type TransactionContext } from '@crm/service';
import type { FallbackReason } from '../leads/lead.api.ts';
import type { Lead } from '../leads/lead.entity.ts';
import { eventData } from '../leads/lead-event-data.ts';
import { alertCreator } from './new-alert.queries.ts';
import { removePendingOffers, withdrawOffers } from './offer.queries.ts';
import { offerEventData } from './offer-event-data.ts';

/** Gives a locked lead that nobody took to its creator. Its offers become void. */
export async function returnLead(ctx: TransactionContext, lead: Lead, reason: FallbackReason): Promise<void> {
  const { runs_out_at } = lead;
  lead.returnToCreator(reason);
  await ctx.em.flush();
  await withdrawOffers(ctx.query, lead.id);
  await alertCreator(ctx, lead.id, runs_out_at);
  for (const offer of await removePendingOffers(ctx.query, lead.id))
    publish(ctx, offerRemoved, removalOf(offer), offerEventData(offer));
  publish(ctx, leadReturned, lead, { ...eventData(lead), reason });
}
