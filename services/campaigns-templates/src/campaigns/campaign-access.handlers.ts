import { implement } from '@crm/service';
import { mayChangeCampaign } from './campaign.policy.ts';
import { namesOf, seenAmong } from './campaign.queries.ts';
import { campaignAccessApi } from './campaign-access.api.ts';

export const campaignAccessHandlers = implement(campaignAccessApi, {
  access: async (ctx, { ids }) => {
    const rows = await seenAmong(ctx.query, ctx.user, ids);
    return rows.map((row) => {
      const owner_user_id = row.owner_user_id === null ? null : Number(row.owner_user_id);
      const change = mayChangeCampaign(ctx.user, { owner_user_id, is_default: row.is_default === true });
      return { id: Number(row.id), may: change ? ['see', 'change'] : ['see'] };
    });
  },

  byIds: async (ctx, { ids }) => campaignAccessApi.byIds.output.parse(await namesOf(ctx.query, ids)),
});
