import { campaignContactRemoved } from '@crm/events';
import { removalOf } from '@crm/messaging';
import { answerWith, findPage, getRecord, implement, inSteps, loadForChange, publish } from '@crm/service';
import { lockCampaign } from '../campaigns/lock-campaign.ts';
import { seenContact } from '../seen-contact.ts';
import { addContact } from './add-contact.ts';
import { type CampaignContactRecord, campaignContactApi } from './campaign-contact.api.ts';
import { CampaignContact } from './campaign-contact.entity.ts';
import { campaignContactRows } from './campaign-contact.queries.ts';
import { eventData } from './campaign-contact-event-data.ts';
import { crashPoint } from './crash-point.ts';
import { enrolAtOnce, stopAtOnce } from './enrol.ts';
import { demandUsedCampaign, holdUsedCampaign } from './used-campaign.queries.ts';

export const campaignContactHandlers = implement(campaignContactApi, {
  find: async (ctx, { campaign_id, ...query }) => {
    await demandUsedCampaign(ctx, campaign_id);
    return findPage(ctx, campaignContactRows, query, { campaign_id });
  },

  get: async (ctx, { campaign_id, ...query }) => {
    await demandUsedCampaign(ctx, campaign_id);
    return getRecord(ctx, campaignContactRows, query, { campaign_id });
  },

  create: inSteps(campaignContactApi.create, {
    ask: (ctx, { contact_id }) => seenContact(ctx, contact_id),
    act: async (ctx, { campaign_id, contact_id }, contact) => {
      const campaign = await lockCampaign(ctx, campaign_id);
      const added = await addContact(ctx, campaign, { id: contact_id, contact });
      return answerWith(ctx, campaignContactRows, added.id);
    },
    finish: async (ctx, added: CampaignContactRecord) => {
      await crashPoint('added');
      return { ...added, scheduled_at: added.scheduled_at ?? (await enrolAtOnce(ctx, added.id)) };
    },
    rehearse: async (_ctx, added: CampaignContactRecord) => added,
    keep: true,
  }),

  remove: inSteps(campaignContactApi.remove, {
    act: async (ctx, { campaign_id, id, $where }) => {
      await holdUsedCampaign(ctx, campaign_id);
      const wanted = { id, $where };
      const removed = await loadForChange(ctx, CampaignContact, campaignContactRows, wanted, { campaign_id });
      const answer = await answerWith(ctx, campaignContactRows, id);
      ctx.em.remove(removed);
      publish(ctx, campaignContactRemoved, removalOf(removed), eventData(removed));
      return answer;
    },
    finish: async (ctx, removed, { id }) => {
      await crashPoint('removed');
      await stopAtOnce(ctx, { campaign_contact_id: id });
      return removed;
    },
    rehearse: async (_ctx, removed) => removed,
  }),
});
