import { leadRouteChanged, leadRouteCreated, leadRouteRemoved } from '@crm/events';
import { removalOf } from '@crm/messaging';
import {
  answerWith,
  type Context,
  completePage,
  completeRecord,
  completeText,
  findPage,
  getRecord,
  implement,
  inSteps,
  loadForChange,
  publish,
} from '@crm/service';
import { holdSource } from '../lead-sources/hold-source.ts';
import { findReferenceErrors, refuseErrors } from './check-references.ts';
import { completeLeadRoutes, type LeadRouteRow } from './complete-lead-routes.ts';
import { leadRouteApi } from './lead-route.api.ts';
import { LeadRoute } from './lead-route.entity.ts';
import { leadRouteRows } from './lead-route.queries.ts';
import { targetOf } from './target-of-route.ts';

const complete = (ctx: Context, row: LeadRouteRow) => completeRecord(row, completeLeadRoutes(ctx));

export const leadRouteHandlers = implement(leadRouteApi, {
  find: (ctx, input) => completePage(findPage(ctx, leadRouteRows, input), completeLeadRoutes(ctx)),

  get: (ctx, input) => completeText(getRecord(ctx, leadRouteRows, input), completeLeadRoutes(ctx)),

  create: inSteps(leadRouteApi.create, {
    ask: findReferenceErrors,
    act: async (ctx, draft, errors) => {
      refuseErrors(errors);
      await holdSource(ctx, 'lead_source_id', draft.lead_source_id);
      const route = ctx.em.create(LeadRoute, {
        ...draft,
        ...targetOf(draft),
        creator_user_id: ctx.user.id,
      });
      await ctx.em.flush();
      publish(ctx, leadRouteCreated, route, eventData(route));
      return answerWith(ctx, leadRouteRows, route.id);
    },
    complete,
  }),

  patch: inSteps(leadRouteApi.patch, {
    ask: findReferenceErrors,
    act: async (ctx, { id, $where, $select, ...changes }, errors) => {
      const route = await loadForChange(ctx, LeadRoute, leadRouteRows, { id, $where });
      refuseErrors(errors, route);
      if (changes.lead_source_id !== route.lead_source_id)
        await holdSource(ctx, 'lead_source_id', changes.lead_source_id);
      ctx.em.assign(route, changes);
      ctx.em.assign(route, targetOf(route));
      await ctx.em.flush();
      publish(ctx, leadRouteChanged, route, eventData(route));
      return answerWith(ctx, leadRouteRows, id);
    },
    complete,
  }),

  remove: inSteps(leadRouteApi.remove, {
    act: async (ctx, { id, $where }) => {
      const route = await loadForChange(ctx, LeadRoute, leadRouteRows, { id, $where });
      const removed = await answerWith(ctx, leadRouteRows, id);
      ctx.em.remove(route);
      publish(ctx, leadRouteRemoved, removalOf(route), eventData(route));
      return removed;
    },
    complete,
  }),
});

function eventData({ id, creator_user_id }: LeadRoute) {
  return { lead_route_id: id, creator_user_id };
}
