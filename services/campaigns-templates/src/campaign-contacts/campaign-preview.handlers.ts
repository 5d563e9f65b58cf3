import { invalidField, noRecord, unknownRecord } from '@crm/contract';
import { implement } from '@crm/service';
import { Campaign } from '../campaigns/campaign.entity.ts';
import { scheduling } from '../peers.ts';
import { seenContact } from '../seen-contact.ts';
import { campaignPreviewApi } from './campaign-preview.api.ts';
import { planWithTexts } from './pin-plan.ts';

export const campaignPreviewHandlers = implement(campaignPreviewApi, {
  preview: async (ctx, { id, contact_id, start_at = ctx.now() }) => {
    const campaign = await ctx.em.findOne(Campaign, id);
    if (!campaign) throw noRecord(id);
    const contact = await seenContact(ctx, contact_id);
    if (!contact) throw invalidField('contact_id', unknownRecord(contact_id));
    const plan = await planWithTexts(ctx, { campaign, contact, start_at: new Date(start_at) });
    return scheduling.asSystem(ctx).enrolments.preview(plan);
  },
});
