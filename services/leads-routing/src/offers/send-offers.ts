import { leadOffered, offerCreated } from '@crm/events';
import { type Context, demand, loadForChange, publish } from '@crm/service';
import { DistributionOption } from '../distribution-options/distribution-option.entity.ts';
import { Lead } from '../leads/lead.entity.ts';
import { mayDistribute } from '../leads/lead.policy.ts';
import { leadRows } from '../leads/lead.queries.ts';
import { eventData } from '../leads/lead-event-data.ts';
import { chooseTeam, type TeamToChoose } from '../rollout/choose-team.ts';
import { alertsOf, type PlannedOffer, plan, type RolloutTeam } from '../rollout/plan.ts';
import type { OfferRow } from './complete-offers.ts';
import { leadNotRolledOut } from './offer.api.ts';
import { Offer } from './offer.entity.ts';
import { addAlerts, offersOf } from './offer.queries.ts';
import { offerEventData } from './offer-event-data.ts';

type Team = RolloutTeam & TeamToChoose;

/**
 * Offers a lead to the members of its team who have no offer yet, and returns the new offers.
 *
 * The lead's row is locked before anything else is read. Of two requests at once, the second therefore sees the offers of
 * the first and adds none. A claim either comes before, so that there is nothing to offer, or after, and then removes the
 * new offers that are not due. Throws NotFound, Forbidden and BadRequest.
 */
export async function sendOffers(ctx: Context, leadId: number, teamsOfCaller: readonly Team[]) {
  const lead = await loadForChange(ctx, Lead, leadRows, { id: leadId });
  demand(mayDistribute(ctx.user, lead));
  if (lead.distribution_target !== 'Team Rollout') throw leadNotRolledOut();
  const team = chooseTeam(lead, lead.team_id ?? null, teamsOfCaller);
  if (!team) return [];
  const options = await ctx.em.find(DistributionOption, { team_id: team.id });
  const made = await ctx.em.find(Offer, { lead_id: lead.id });
  return store(ctx, lead, team.id, plan(lead, team, options, made, ctx.now()));
}

async function store(ctx: Context, lead: Lead, team_id: number, planned: readonly PlannedOffer[]) {
  const shared = { lead_id: lead.id, team_id, creator_user_id: ctx.user.id, created_at: ctx.now() };
  const offers = planned.map((offer) => ctx.em.create(Offer, { ...offer, ...shared }));
  const isFirst = lead.status === 'Pending' && offers.length > 0;
  if (isFirst) lead.markOffered();
  await ctx.em.flush();

  const alerts = offers.flatMap((offer) =>
    alertsOf(offer).map((kind) => ({ offer_id: offer.id, kind, due_at: offer.notify_at })),
  );
  await addAlerts(ctx.query, alerts);
  if (isFirst) publish(ctx, leadOffered, lead, { ...eventData(lead), team_id });
  for (const offer of offers)
    publish(ctx, offerCreated, offer, offerEventData(offer, { notify_at: offer.notify_at.toISOString() }));
  await ctx.em.flush();
  const rows = await offersOf(
    ctx.query,
    offers.map(({ id }) => id),
  );
  return JSON.parse(rows.text) as OfferRow[];
}
