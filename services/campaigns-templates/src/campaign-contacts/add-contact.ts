import { invalidField, unknownRecord } from '@crm/contract';
import { campaignContactCreated } from '@crm/events';
import { type Context, causeNow, publish } from '@crm/service';
import type { Campaign } from '../campaigns/campaign.entity.ts';
import type { SeenContact } from '../seen-contact.ts';
import { CampaignContact } from './campaign-contact.entity.ts';
import { isContactRemoved } from './campaign-contact.queries.ts';
import { eventData } from './campaign-contact-event-data.ts';
import { pinPlan } from './pin-plan.ts';

interface Wanted {
  readonly id: number;
  /** Undefined if the caller does not see it. */
  readonly contact: Pick<SeenContact, 'id' | 'birthday'> | undefined;
}

/** Adds a contact to a locked campaign, with the plan of what to schedule. */
export async function addContact(
  ctx: Context,
  campaign: Campaign,
  { id, contact }: Wanted,
): Promise<CampaignContact> {
  if (!contact || (await isContactRemoved(ctx.query, id)))
    throw invalidField('contact_id', unknownRecord(id));
  const now = ctx.now();
  const added = ctx.em.create(CampaignContact, {
    campaign_id: campaign.id,
    contact_id: id,
    user_id: ctx.user.id,
    created_at: now,
    modified_at: now,
    cause: causeNow(ctx),
    plan: await pinPlan(ctx, { campaign, contact, start_at: now }),
  });
  await ctx.em.flush();
  publish(ctx, campaignContactCreated, added, eventData(added));
  return added;
}
