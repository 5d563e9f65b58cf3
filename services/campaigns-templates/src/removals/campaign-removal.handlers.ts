import { campaignRemoved } from '@crm/events';
import { removalOf } from '@crm/messaging';
import { answerWith, demand, implement, inSteps, loadForChange, publish } from '@crm/service';
import { removeActions } from '../campaign-actions/remove-actions.ts';
import { markCampaignRemoved } from '../campaign-contacts/campaign-contact.queries.ts';
import { crashPoint } from '../campaign-contacts/crash-point.ts';
import { stopAtOnce } from '../campaign-contacts/enrol.ts';
import { campaignRemovalApi } from '../campaigns/campaign.api.ts';
import { Campaign } from '../campaigns/campaign.entity.ts';
import { mayChangeCampaign, onlyOwnerChangesCampaign } from '../campaigns/campaign.policy.ts';
import { campaignRows } from '../campaigns/campaign.queries.ts';
import { eventData } from '../campaigns/campaign-event-data.ts';

export const campaignRemovalHandlers = implement(campaignRemovalApi, {
  remove: inSteps(campaignRemovalApi.remove, {
    act: async (ctx, { id, $where }) => {
      const campaign = await loadForChange(ctx, Campaign, campaignRows, { id, $where });
      demand(mayChangeCampaign(ctx.user, campaign), onlyOwnerChangesCampaign);
      const removed = await answerWith(ctx, campaignRows, id);
      await removeActions(ctx, id);
      await markCampaignRemoved(ctx.query, id);
      ctx.em.remove(campaign);
      publish(ctx, campaignRemoved, removalOf(campaign), eventData(campaign));
      return removed;
    },
    finish: async (ctx, removed, { id }) => {
      await crashPoint('campaign removed');
      await stopAtOnce(ctx, { campaign_id: id });
      return removed;
    },
    rehearse: async (_ctx, removed) => removed,
  }),
});
