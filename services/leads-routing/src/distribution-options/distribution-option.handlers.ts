import { distributionOptionChanged, distributionOptionCreated, distributionOptionRemoved } from '@crm/events';
import { removalOf } from '@crm/messaging';
import {
  answerWith,
  type Context,
  completePage,
  completeRecord,
  completeText,
  demand,
  findPage,
  flushOr,
  getRecord,
  implement,
  inSteps,
  loadForChange,
  publish,
} from '@crm/service';
import { completeDistributionOptions, type DistributionOptionRow } from './complete-distribution-options.ts';
import { distributionOptionApi, memberHasOption } from './distribution-option.api.ts';
import { DistributionOption } from './distribution-option.entity.ts';
import { mayChangeDistributionOption, onlyCreatorDistributes } from './distribution-option.policy.ts';
import { distributionOptionRows } from './distribution-option.queries.ts';
import { eventData } from './distribution-option-event-data.ts';
import { demandTeamNotLeft, exceptLeftTeams } from './left-teams.ts';
import { ownTeams, teamOfOption } from './team-of-option.ts';

const complete = (ctx: Context, row: DistributionOptionRow) =>
  completeRecord(row, completeDistributionOptions(ctx));

const defaults = {
  rank: 0,
  mins_until_lead_offer: 0,
  has_call_alert: false,
  has_text_alert: false,
  has_email_alert: false,
};

export const distributionOptionHandlers = implement(distributionOptionApi, {
  find: async (ctx, input) => {
    const where = await exceptLeftTeams(ctx, input.where);
    return completePage(
      findPage(ctx, distributionOptionRows, { ...input, where }),
      completeDistributionOptions(ctx),
    );
  },

  get: async (ctx, input) => {
    const $where = await exceptLeftTeams(ctx, input.$where);
    return completeText(
      getRecord(ctx, distributionOptionRows, { ...input, $where }),
      completeDistributionOptions(ctx),
    );
  },

  create: inSteps(distributionOptionApi.create, {
    ask: ownTeams,
    act: async (ctx, draft, teams) => {
      const team = teamOfOption(ctx, teams, draft);
      const option = ctx.em.create(DistributionOption, {
        ...defaults,
        ...draft,
        creator_user_id: ctx.user.id,
        created_at: ctx.now(),
        modified_at: ctx.now(),
      });
      option.fitMinutesTo(team.order_method);
      await flushOr(ctx, refusals);
      publish(ctx, distributionOptionCreated, option, eventData(option));
      return answerWith(ctx, distributionOptionRows, option.id);
    },
    complete,
  }),

  patch: inSteps(distributionOptionApi.patch, {
    ask: ownTeams,
    act: async (ctx, { id, $where, $select, ...changes }, teams) => {
      const option = await loadForChange(ctx, DistributionOption, distributionOptionRows, { id, $where });
      demandTeamNotLeft(ctx, option, teams);
      demand(mayChangeDistributionOption(ctx.user, option), onlyCreatorDistributes);
      const { team_id, user_id } = option;
      ctx.em.assign(option, { ...changes, modified_at: ctx.now() });
      // Since the option was added, the user may have left the team or been disabled.
      const isSameMember = option.team_id === team_id && option.user_id === user_id;
      // An event about the new member from before does not remove it.
      if (!isSameMember) option.created_at = ctx.now();
      const own = isSameMember && teams.find(({ id }) => id === team_id);
      option.fitMinutesTo((own || teamOfOption(ctx, teams, option)).order_method);
      await flushOr(ctx, refusals);
      publish(ctx, distributionOptionChanged, option, eventData(option));
      return answerWith(ctx, distributionOptionRows, id);
    },
    complete,
  }),

  remove: inSteps(distributionOptionApi.remove, {
    ask: ownTeams,
    act: async (ctx, { id, $where }, teams) => {
      const option = await loadForChange(ctx, DistributionOption, distributionOptionRows, { id, $where });
      demandTeamNotLeft(ctx, option, teams);
      demand(mayChangeDistributionOption(ctx.user, option), onlyCreatorDistributes);
      const removed = await answerWith(ctx, distributionOptionRows, id);
      ctx.em.remove(option);
      publish(ctx, distributionOptionRemoved, removalOf(option), eventData(option));
      return removed;
    },
    complete,
  }),
});

const refusals = {
  distribution_options_team_user: () =>
    memberHasOption({ errors: { user_id: 'already has an option in this team' } }),
};
