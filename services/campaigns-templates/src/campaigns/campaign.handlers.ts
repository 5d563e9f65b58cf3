import { campaignChanged, campaignCreated, campaignRemoved } from '@crm/events';
import {
  answerWith,
  demand,
  findPage,
  flushOr,
  getRecord,
  implement,
  inSteps,
  loadForChange,
  publish,
  publishRemoval,
} from '@crm/service';
import { removeActions } from '../campaign-actions/remove-actions.ts';
import { removeContactsOf } from '../campaign-contacts/campaign-contact.queries.ts';
import { stopAtOnce } from '../campaign-contacts/enrol.ts';
import { fault } from '../campaign-contacts/fault.ts';
import { campaignApi, nameTaken } from './campaign.api.ts';
import { Campaign } from './campaign.entity.ts';
import { mayChangeCampaign } from './campaign.policy.ts';
import { campaignRows } from './campaign.queries.ts';

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
    demand(mayChangeCampaign(ctx.user, campaign));
    ctx.em.assign(campaign, { ...changes, modified_at: ctx.now() });
    await flushOr(ctx, refusals);
    publish(ctx, campaignChanged, campaign, eventData(campaign));
    return answerWith(ctx, campaignRows, id);
  },

  remove: inSteps(campaignApi.remove, {
    act: async (ctx, { id, $where }) => {
      const campaign = await loadForChange(ctx, Campaign, campaignRows, { id, $where });
      demand(mayChangeCampaign(ctx.user, campaign));
      const removed = await answerWith(ctx, campaignRows, id);
      await removeActions(ctx, id);
      await removeContactsOf(ctx.query, id);
      ctx.em.remove(campaign);
      publishRemoval(ctx, campaignRemoved, campaign, eventData(campaign));
      return removed;
    },
    finish: async (ctx, removed, { id }) => {
      await fault('campaign removed');
      await stopAtOnce(ctx, { campaign_id: id });
      return removed;
    },
  }),
});

const refusals = { campaigns_owner_name: () => nameTaken({ errors: { name: 'is taken' } }) };

function eventData({ id, owner_user_id }: Campaign) {
  return { campaign_id: id, owner_user_id: owner_user_id ?? null };
}
