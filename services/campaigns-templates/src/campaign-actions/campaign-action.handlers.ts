import { campaignActionChanged, campaignActionCreated, campaignActionRemoved } from '@crm/events';
import { removalOf } from '@crm/messaging';
import {
  answerWith,
  type Context,
  completePage,
  completeText,
  demand,
  demandSeen,
  findPage,
  getRecord,
  implement,
  loadForChange,
  publish,
} from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import type { z } from 'zod';
import { mayChangeCampaign, onlyOwnerChangesCampaign } from '../campaigns/campaign.policy.ts';
import { campaignRows } from '../campaigns/campaign.queries.ts';
import { lockCampaign } from '../campaigns/lock-campaign.ts';
import { campaignActionApi, maxActions, tooManyActions } from './campaign-action.api.ts';
import { CampaignAction } from './campaign-action.entity.ts';
import { campaignActionRows } from './campaign-action.queries.ts';
import { eventData } from './campaign-action-event-data.ts';
import { checkAssignee, checkTemplateOf } from './check-references.ts';
import { dependentFieldsOf } from './dependent-fields.ts';
import { type CampaignActionRow, loadAssignedUsers } from './load-assigned-users.ts';

export const campaignActionHandlers = implement(campaignActionApi, {
  find: async (ctx, { campaign_id, ...query }) => {
    await demandSeen(ctx, campaignRows, campaign_id);
    const users = query.load.includes('assigned_user');
    const select = withAssignee(query.select, users);
    const page = findPage(ctx, campaignActionRows, { ...query, select }, { campaign_id });
    return users
      ? completePage(page, (actions: readonly CampaignActionRow[]) => loadAssignedUsers(ctx, actions))
      : page;
  },

  get: async (ctx, { campaign_id, $load = [], ...query }) => {
    await demandSeen(ctx, campaignRows, campaign_id);
    const users = $load.includes('assigned_user');
    const $select = withAssignee(query.$select, users);
    const action = getRecord(
      ctx,
      campaignActionRows,
      { ...query, ...($select && { $select }) },
      { campaign_id },
    );
    return users
      ? completeText(action, (actions: readonly CampaignActionRow[]) => loadAssignedUsers(ctx, actions))
      : action;
  },

  create: async (ctx, { campaign_id, ...draft }) => {
    // The campaign is locked for writing, so that of two concurrent requests the second counts the action of the first.
    const campaign = await lockCampaign(ctx, campaign_id, LockMode.PESSIMISTIC_WRITE);
    demand(mayChangeCampaign(ctx.user, campaign), onlyOwnerChangesCampaign);
    checkAssignee(ctx, draft.assigned_user_id);
    if ((await ctx.em.count(CampaignAction, { campaign_id })) >= maxActions) throw tooManyActions();
    const written = { event_trigger_type: '1' as const, ...columnsOf(draft), campaign_id };
    const dependent = dependentFieldsOf(written);
    await checkTemplateOf(ctx, written, templateFieldOf(draft));
    const action = ctx.em.create(CampaignAction, { ...written, ...dependent });
    await ctx.em.flush();
    publish(ctx, campaignActionCreated, action, eventData(action, campaign));
    return answerWith(ctx, campaignActionRows, action.id);
  },

  patch: async (ctx, { campaign_id, id, $where, $select, ...changes }) => {
    const { campaign, action } = await loadOwned(ctx, { campaign_id, id, $where });
    if (changes.assigned_user_id !== action.assigned_user_id) checkAssignee(ctx, changes.assigned_user_id);
    const changed = changedTemplate(action, changes);
    const { dispatch_datetime } = action;
    ctx.em.assign(action, columnsOf(changed));
    ctx.em.assign(action, dependentFieldsOf(action, dispatch_datetime));
    await checkTemplateOf(ctx, action, templateFieldOf(changed));
    await ctx.em.flush();
    publish(ctx, campaignActionChanged, action, eventData(action, campaign));
    return answerWith(ctx, campaignActionRows, id);
  },

  remove: async (ctx, { campaign_id, id, $where }) => {
    const { campaign, action } = await loadOwned(ctx, { campaign_id, id, $where });
    const removed = await answerWith(ctx, campaignActionRows, id);
    ctx.em.remove(action);
    publish(ctx, campaignActionRemoved, removalOf(action), eventData(action, campaign));
    return removed;
  },
});

/** The assigned user is loaded by its id, so the id must be selected too. */
function withAssignee(select: readonly string[] | undefined, users: boolean) {
  return select && users ? [...select, 'assigned_user_id'] : select;
}

type Wanted = Pick<z.output<typeof campaignActionApi.remove.input>, 'campaign_id' | 'id' | '$where'>;

async function loadOwned(ctx: Context, { campaign_id, id, $where }: Wanted) {
  const campaign = await lockCampaign(ctx, campaign_id);
  const action = await loadForChange(
    ctx,
    CampaignAction,
    campaignActionRows,
    { id, $where },
    { campaign_id },
  );
  demand(mayChangeCampaign(ctx.user, campaign), onlyOwnerChangesCampaign);
  return { campaign, action };
}

/**
 * A client that sends back a whole record sends both names of the template but may have changed only the alias. An
 * unchanged `template_id` is therefore ignored.
 */
function changedTemplate({ template_id: current }: CampaignAction, changes: Changes): Changes {
  if (changes.template_id !== current) return changes;
  const { template_id, ...others } = changes;
  return others;
}

type Changes = Omit<z.output<typeof campaignActionApi.patch.input>, keyof Wanted | '$select'>;

function columnsOf<Draft extends Changes>(draft: Draft) {
  const { template_metadata_id, template_id = template_metadata_id, dispatch_datetime, ...fields } = draft;
  return {
    ...fields,
    ...(template_id !== undefined && { template_id }),
    ...(dispatch_datetime !== undefined && {
      dispatch_datetime: dispatch_datetime === null ? null : new Date(dispatch_datetime),
    }),
  };
}

/** The field name under which the client sent the template; errors refer to it. */
function templateFieldOf({ template_id, template_metadata_id }: Changes) {
  return template_id === undefined && template_metadata_id !== undefined
    ? 'template_metadata_id'
    : 'template_id';
}
