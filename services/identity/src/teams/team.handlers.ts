import { teamChanged, teamCreated, teamRemoved } from '@crm/events';
import { removalOf } from '@crm/messaging';
import { answerWith, demand, findPage, getRecord, implement, loadForChange, publish } from '@crm/service';
import { teamApi } from './team.api.ts';
import { Team } from './team.entity.ts';
import { mayChangeTeam, onlyCreatorChangesTeam } from './team.policy.ts';
import { addCreator, teamRows, teamsByIds, teamsCreatedBy } from './team.queries.ts';

export const teamHandlers = implement(teamApi, {
  find: (ctx, input) => findPage(ctx, teamRows, input),

  get: (ctx, input) => getRecord(ctx, teamRows, input),

  create: async (ctx, draft) => {
    const team = ctx.em.create(Team, {
      is_contact_resource_sharing_enabled: false,
      order_method: 'Rank',
      mins_until_next_alert: 0,
      ...draft,
      creator_user_id: ctx.user.id,
      created_at: ctx.now(),
      modified_at: ctx.now(),
    });
    team.clearUnusedMinutes();
    await ctx.em.flush();
    await addCreator(ctx.query, team);
    publish(ctx, teamCreated, team, eventData(team));
    return answerWith(ctx, teamRows, team.id);
  },

  patch: async (ctx, { id, $where, $select, ...changes }) => {
    const team = await loadForChange(ctx, Team, teamRows, { id, $where });
    demand(mayChangeTeam(ctx.user, team), onlyCreatorChangesTeam);
    ctx.em.assign(team, { ...changes, modified_at: ctx.now() });
    team.clearUnusedMinutes();
    await ctx.em.flush();
    publish(ctx, teamChanged, team, eventData(team));
    return answerWith(ctx, teamRows, id);
  },

  remove: async (ctx, { id, $where }) => {
    const team = await loadForChange(ctx, Team, teamRows, { id, $where });
    demand(mayChangeTeam(ctx.user, team), onlyCreatorChangesTeam);
    const removed = await answerWith(ctx, teamRows, id);
    ctx.em.remove(team);
    publish(ctx, teamRemoved, removalOf(team), eventData(team));
    return removed;
  },

  byIds: (ctx, { ids }) => teamsByIds(ctx.query, ids),

  createdBy: (ctx, { user_id }) => teamsCreatedBy(ctx.query, user_id),
});

function eventData(team: Team) {
  const { id, creator_user_id, is_contact_resource_sharing_enabled, order_method } = team;
  return { team_id: id, creator_user_id, is_contact_resource_sharing_enabled, order_method };
}
