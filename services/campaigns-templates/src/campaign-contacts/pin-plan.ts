import { peopleOf } from '@crm/auth';
import { agentTaskTypes, Plan } from '@crm/scheduling/api';
import type { Context } from '@crm/service';
import type { Campaign } from '../campaigns/campaign.entity.ts';
import type { SeenContact } from '../seen-contact.ts';
import type { PinnedPlan } from './campaign-contact.api.ts';
import { actionsWithTexts, pinActions } from './pinned-action.queries.ts';

interface Start {
  readonly campaign: Campaign;
  readonly contact: Pick<SeenContact, 'id' | 'birthday'>;
  readonly start_at: Date;
}

type Reader = Pick<Context, 'query' | 'user'>;
type Action = PinnedPlan['actions'][number];

/**
 * The plan for a contact who starts the campaign at a given time, from the current campaign, actions and templates.
 * Writes nothing.
 */
export async function planWithTexts(ctx: Reader, start: Start): Promise<PinnedPlan> {
  return planOf(ctx, start, await actionsWithTexts(ctx.query, start.campaign.id));
}

/** The same plan for storage: it refers to the texts of its templates, which are stored once for all plans. */
export async function pinPlan(ctx: Reader, start: Start): Promise<PinnedPlan> {
  return planOf(ctx, start, await pinActions(ctx.query, start.campaign.id));
}

function planOf({ user }: Reader, { campaign, contact, start_at }: Start, actions: readonly unknown[]) {
  const plan = Plan.parse({
    campaign_id: campaign.id,
    campaign_name: campaign.name,
    user_id: user.id,
    ...(user.act && { delegation_id: user.act.delegation_id }),
    timezone: user.timezone,
    contact_id: contact.id,
    birthday: contact.birthday,
    start_at,
    actions,
  });
  const people = peopleOf(user);
  return { ...plan, actions: plan.actions.map((action) => withoutStranger(action, people)) };
}

/**
 * A task shows its assignee the contact, so it is not assigned to somebody with whom the user does not work (any longer).
 * Whether a message may be sent in the name of its sender is decided when it is sent.
 */
function withoutStranger(action: Action, people: ReadonlySet<number>): Action {
  const { type, assigned_user_id } = action;
  if (assigned_user_id === null || people.has(assigned_user_id)) return action;
  return agentTaskTypes.some((task) => task === type) ? { ...action, assigned_user_id: null } : action;
}
