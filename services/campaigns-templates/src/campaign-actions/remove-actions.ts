import { campaignActionRemoved } from '@crm/events';
import { type Context, publishRemoval } from '@crm/service';
import { removeActionsOf } from './campaign-action.queries.ts';
import { eventData } from './campaign-action-event-data.ts';

/** Before a campaign is removed. The campaign must be locked. */
export async function removeActions(ctx: Context, campaign_id: number): Promise<void> {
  for (const action of await removeActionsOf(ctx.query, campaign_id))
    publishRemoval(ctx, campaignActionRemoved, action, eventData(action, action));
}
