import { type Context, demand, loadForChange } from '@crm/service';
import { Lead } from '../leads/lead.entity.ts';
import { mayDistribute, onlyCreatorDistributes } from '../leads/lead.policy.ts';
import { leadRows } from '../leads/lead.queries.ts';
import type { OfferRow } from './complete-offers.ts';
import { makeOffers, type Team } from './make-offers.ts';
import { leadNotRolledOut } from './offer.api.ts';
import { Offer } from './offer.entity.ts';
import { offersOf } from './offer.queries.ts';

/**
 * Offers a lead to the members of its team who have no offer yet, and returns the new offers. If the lead's route makes
 * offers, all offers are returned, so that a client that requests them gets the same response. A lead that went to its
 * creator because nobody took it gets no offers and no error, because clients request offers for all leads of their
 * team routes.
 *
 * The lead's row is locked before anything else is read. Of two concurrent requests, the second therefore sees the
 * offers of the first and adds none. A claim either comes before, so that there is nothing to offer, or after, and then
 * removes the new offers that are not due. Throws NotFound, Forbidden and BadRequest.
 */
export async function sendOffers(
  ctx: Context,
  leadId: number,
  teamsOfCaller: readonly Team[],
): Promise<OfferRow[]> {
  const lead = await loadForChange(ctx, Lead, leadRows, { id: leadId });
  demand(mayDistribute(ctx.user, lead), onlyCreatorDistributes);
  if (lead.fallback_reason != null) return [];
  if (lead.distribution_target !== 'Team Rollout') throw leadNotRolledOut();
  const made = await makeOffers(ctx, lead, teamsOfCaller);
  const wanted = lead.makes_offers ? await ctx.em.find(Offer, { lead_id: lead.id }) : made;
  return offersOf(
    ctx.query,
    wanted.map(({ id }) => id),
  );
}
