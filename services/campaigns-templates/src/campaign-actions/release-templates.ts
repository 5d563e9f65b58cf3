import { campaignActionChanged } from '@crm/events';
import { type Context, publish } from '@crm/service';
import { forgetTemplates } from './campaign-action.queries.ts';
import { eventData } from './campaign-action-event-data.ts';

/** Before templates are removed: the actions that use them go on without. The templates must be held. */
export async function releaseTemplates(ctx: Context, templates: readonly number[]): Promise<void> {
  for (const action of await forgetTemplates(ctx.query, templates))
    publish(ctx, campaignActionChanged, action, eventData(action, action));
}
