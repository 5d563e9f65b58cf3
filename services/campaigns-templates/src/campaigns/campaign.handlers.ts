import { campaignChanged, campaignCreated } from '@crm/events';
import {
  answerWith,
  demand,
  findPage,
  flushOr,
  getRecord,
  implement,
  loadForChange,
  publish,
} from '@crm/service';
import { campaignApi, nameTaken } from './campaign.api.ts';
import { Campaign } from './campaign.entity.ts';
import { mayChangeCampaign, onlyOwnerChangesCampaign } from './campaign.policy.ts';
import { campaignRows } from './campaign.queries.ts';
import { eventData } from './campaign-event-data.ts';

export const campaignHandlers = implement(campaignApi, {
  find: (ctx, input) => findPage(ctx, campaignRows, input),

  get: (ctx, input) => getRecord(ctx, campaignRows, input),

  create: async (ctx, { name, is_broker_sharing_on = false }) => {
    const now = ctx.now();
    const campaign = ctx.em.create(Campaign, {
      name,
      is_broker_sharing_on,
      is_default: false,
      owner_user_id: ctx.user.id,
      created_at: now,
      modified_at: now,
    });
    await flushOr(ctx, refusals);
    publish(ctx, campaignCreated, campaign, eventData(campaign));
    return answerWith(ctx, campaignRows, campaign.id);
  },

  patch: async (ctx, { id, $where, $select, ...changes }) => {
    const campaign = await loadForChange(ctx, Campaign, campaignRows, { id, $where });
    demand(mayChangeCampaign(ctx.user, campaign), onlyOwnerChangesCampaign);
    ctx.em.assign(campaign, { ...changes, modified_at: ctx.now() });
    await flushOr(ctx, refusals);
    publish(ctx, campaignChanged, campaign, eventData(campaign));
    return answerWith(ctx, campaignRows, id);
  },
});

const refusals = { campaigns_owner_name: () => nameTaken({ errors: { name: 'is already in use' } }) };
