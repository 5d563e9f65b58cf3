import { implement } from '@crm/service';
import { mayChangeCampaign } from './campaign.policy.ts';
import { namesOf, seenAmong } from './campaign.queries.ts';
import { campaignAccessApi } from './campaign-access.api.ts';

export const campaignAccessHandlers = implement(campaignAccessApi, {
  access: async (ctx, { ids }) => {
    const rows = await seenAmong(ctx.query, ctx.user, ids);
    return rows.map(({ id, ...campaign }) => ({
      id,
      may: mayChangeCampaign(ctx.user, campaign) ? ['see', 'change'] : ['see'],
    }));
  },

  byIds: (ctx, { ids }) => namesOf(ctx.query, ids),
});
