import type { Context } from '@crm/service';
import { DistributionOption } from '../distribution-options/distribution-option.entity.ts';
import { ownTeams } from '../distribution-options/team-of-option.ts';
import type { Lead } from '../leads/lead.entity.ts';
import { usersById } from '../names.ts';
import type { Offer } from '../offers/offer.entity.ts';
import { chooseTeam } from '../rollout/choose-team.ts';
import { type PlannedOffer, plan } from '../rollout/plan.ts';

type Routed = Pick<Lead, 'distribution_target'> &
  Partial<Pick<Lead, 'team_selection_method' | 'team_id' | 'zipcode' | 'claimed_by_user_id'>>;

/** Who is offered the caller's lead and when: existing offers and those that would be made now. Writes nothing. */
export async function simulate(ctx: Context, lead: Routed, made: readonly Offer[] = []) {
  const { distribution_target, team_selection_method = null } = lead;
  const team =
    distribution_target === 'Team Rollout'
      ? chooseTeam(lead, lead.team_id ?? null, await ownTeams(ctx))
      : undefined;
  const options = team ? await ctx.em.find(DistributionOption, { team_id: team.id }) : [];
  const planned = team ? plan(lead, team, options, made, ctx.now()) : [];
  const turns = [
    ...made.map((offer) => ({ ...turnOf(offer), is_made: true })),
    ...planned.map((offer) => ({ ...turnOf(offer), is_made: false })),
  ].toSorted((a, b) => a.notify_at.localeCompare(b.notify_at));
  const users = await usersById(
    ctx,
    turns.map(({ user_id }) => user_id),
  );
  return {
    distribution_target,
    team_selection_method,
    team: team ? { id: team.id, name: team.name } : null,
    offers: turns.map(({ user_id, ...turn }) => ({ user: users.get(user_id) ?? null, ...turn })),
  };
}

function turnOf({ user_id, notify_at, assign_automatically, ...alerts }: Omit<PlannedOffer, 'rank'>) {
  const { has_call_alert, has_text_alert, has_email_alert } = alerts;
  return {
    user_id,
    notify_at: notify_at.toISOString(),
    assign_automatically,
    has_call_alert,
    has_text_alert,
    has_email_alert,
  };
}
