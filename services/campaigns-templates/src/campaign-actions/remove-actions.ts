import { campaignActionRemoved } from '@crm/events';
import { removalOf } from '@crm/messaging';
import { type Context, publish } from '@crm/service';
import { removeActionsOf } from './campaign-action.queries.ts';
import { eventData } from './campaign-action-event-data.ts';

/** Removes the actions of a campaign that is about to be removed. The campaign must be locked. */
export async function removeActions(ctx: Context, campaign_id: number): Promise<void> {
  for (const action of await removeActionsOf(ctx.query, campaign_id))
    publish(ctx, campaignActionRemoved, removalOf(action), eventData(action, action));
}
