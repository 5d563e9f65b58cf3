import { campaignActionChanged } from '@crm/events';
import { type Context, publish } from '@crm/service';
import { unsetTemplates } from './campaign-action.queries.ts';
import { eventData } from './campaign-action-event-data.ts';

/**
 * Unsets templates that are about to be removed; the actions that use them continue without a template. The templates
 * must be locked.
 */
export async function releaseTemplates(ctx: Context, templates: readonly number[]): Promise<void> {
  for (const action of await unsetTemplates(ctx.query, templates))
    publish(ctx, campaignActionChanged, action, eventData(action, action));
}
