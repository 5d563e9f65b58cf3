import { leadOffered, offerCreated } from '@crm/events';
import { type Context, publish } from '@crm/service';
import { DistributionOption } from '../distribution-options/distribution-option.entity.ts';
import type { Lead } from '../leads/lead.entity.ts';
import { eventData } from '../leads/lead-event-data.ts';
import { chooseTeam, type TeamToChoose } from '../rollout/choose-team.ts';
import { alertsOf, type PlannedOffer, plan, type RolloutTeam } from '../rollout/plan.ts';
import { runsOutAt } from '../rollout/run-out.ts';
import { addAlerts } from './new-alert.queries.ts';
import { Offer } from './offer.entity.ts';
import { hasOpenOffer } from './offer.queries.ts';
import { offerEventData } from './offer-event-data.ts';
import { returnLead } from './return-lead.ts';

export type Team = RolloutTeam & TeamToChoose;

/**
 * Offers a new or locked lead to the members of its team who have no offer yet, and returns the new offers. A lead that
 * can be offered to nobody goes to its creator.
 */
export async function makeOffers(
  ctx: Context,
  lead: Lead,
  teamsOfCreator: readonly Team[],
): Promise<Offer[]> {
  const team = chooseTeam(lead, lead.team_id ?? null, teamsOfCreator);
  const offers = team ? await offerTo(ctx, lead, team) : [];
  const isWaiting = lead.claimed_by_user_id == null;
  if (isWaiting && offers.length === 0 && !(await hasOpenOffer(ctx.query, lead.id)))
    await returnLead(ctx, lead, 'Nobody to offer it to');
  return offers;
}

async function offerTo(ctx: Context, lead: Lead, team: Team): Promise<Offer[]> {
  const options = await ctx.em.find(DistributionOption, { team_id: team.id });
  const made = await ctx.em.find(Offer, { lead_id: lead.id });
  const planned = plan(lead, team, options, made, ctx.now());
  if (planned.length === 0) return [];
  lead.runs_out_at = runsOutAt(team, [...made, ...planned]);
  return store(ctx, lead, team.id, planned);
}

async function store(ctx: Context, lead: Lead, team_id: number, planned: readonly PlannedOffer[]) {
  const shared = { lead_id: lead.id, team_id, creator_user_id: ctx.user.id, created_at: ctx.now() };
  const offers = planned.map((offer) => ctx.em.create(Offer, { ...offer, ...shared }));
  const isFirst = lead.status === 'Pending';
  if (isFirst) lead.markOffered();
  await ctx.em.flush();

  const alerts = offers.flatMap((offer) =>
    alertsOf(offer).map((kind) => ({ offer_id: offer.id, kind, due_at: offer.notify_at })),
  );
  await addAlerts(ctx, alerts);
  if (isFirst) publish(ctx, leadOffered, lead, { ...eventData(lead), team_id });
  for (const offer of offers)
    publish(ctx, offerCreated, offer, { ...offerEventData(offer), notify_at: offer.notify_at.toISOString() });
  await ctx.em.flush();
  return offers;
}
