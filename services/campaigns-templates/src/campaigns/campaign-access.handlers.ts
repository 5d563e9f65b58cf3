import { conditionOf } from '@crm/auth';
import { implement } from '@crm/service';
import { mayChangeCampaign, visibleCampaigns } from './campaign.policy.ts';
import { namesOf, seenAmong, sharingOf } from './campaign.queries.ts';
import { campaignAccessApi } from './campaign-access.api.ts';

export const campaignAccessHandlers = implement(campaignAccessApi, {
  access: async (ctx, { ids }) => {
    const rows = await seenAmong(ctx.query, ctx.user, ids);
    return rows.map(({ id, ...campaign }) => ({
      id,
      may: mayChangeCampaign(ctx.user, campaign) ? ['see', 'change'] : ['see'],
    }));
  },

  seenBy: async ({ query }, { viewers }) => {
    const ids = new Set(viewers.flatMap(({ campaign_ids }) => campaign_ids));
    const campaigns = await sharingOf(query, [...ids]);
    return viewers.map(({ user, campaign_ids }) => {
      const isVisible = conditionOf(visibleCampaigns(user));
      const own = campaigns.filter((campaign) => campaign_ids.includes(campaign.id) && isVisible(campaign));
      return { user_id: user.id, campaign_ids: own.map(({ id }) => id) };
    });
  },

  byIds: (ctx, { ids }) => namesOf(ctx.query, ids),
});
