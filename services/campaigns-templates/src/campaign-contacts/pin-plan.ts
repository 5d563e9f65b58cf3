import { Plan } from '@crm/scheduling/api';
import type { Context } from '@crm/service';
import type { Campaign } from '../campaigns/campaign.entity.ts';
import type { SeenContact } from '../seen-contact.ts';
import type { PinnedPlan } from './campaign-contact.api.ts';
import { actionsToPin } from './pinned-action.queries.ts';

interface Start {
  readonly campaign: Campaign;
  readonly contact: SeenContact;
  readonly start_at: Date;
}

/** Everything that decides what a campaign does with a contact from a start time, as it is now. Changes nothing. */
export async function pinPlan(
  { query, user }: Pick<Context, 'query' | 'user'>,
  { campaign, contact, start_at }: Start,
): Promise<PinnedPlan> {
  return Plan.parse({
    campaign_id: campaign.id,
    campaign_name: campaign.name,
    user_id: user.id,
    timezone: user.timezone,
    contact_id: contact.id,
    birthday: contact.birthday,
    start_at,
    actions: await actionsToPin(query, campaign.id),
  });
}
