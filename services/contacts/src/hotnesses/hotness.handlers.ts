import { hotnessChanged, hotnessCreated, hotnessRemoved } from '@crm/events';
import { answerWith, demand, findPage, getRecord, implement, loadForChange, publish } from '@crm/service';
import { hotnessApi } from './hotness.api.ts';
import { Hotness } from './hotness.entity.ts';
import {
  brokerForbidsHotnesses,
  mayChangeHotness,
  mayCreateHotness,
  onlyOwnerChangesHotness,
} from './hotness.policy.ts';
import { hotnessRows } from './hotness.queries.ts';

export const hotnessHandlers = implement(hotnessApi, {
  find: (ctx, input) => findPage(ctx, hotnessRows, input),

  get: (ctx, input) => getRecord(ctx, hotnessRows, input),

  create: async (ctx, draft) => {
    demand(mayCreateHotness(ctx.user), brokerForbidsHotnesses);
    const hotness = ctx.em.create(Hotness, { ...draft, user_id: ctx.user.id });
    await ctx.em.flush();
    publish(ctx, hotnessCreated, hotness, eventData(hotness));
    return answerWith(ctx, hotnessRows, hotness.id);
  },

  patch: async (ctx, { id, $where, $select, ...changes }) => {
    const hotness = await loadForChange(ctx, Hotness, hotnessRows, { id, $where });
    demand(mayChangeHotness(ctx.user, hotness), onlyOwnerChangesHotness);
    ctx.em.assign(hotness, changes);
    await ctx.em.flush();
    publish(ctx, hotnessChanged, hotness, eventData(hotness));
    return answerWith(ctx, hotnessRows, id);
  },

  // Contacts stop showing it at once; a worker removes it from those that have it, however many.
  remove: async (ctx, { id, $where }) => {
    const hotness = await loadForChange(ctx, Hotness, hotnessRows, { id, $where });
    demand(mayChangeHotness(ctx.user, hotness), onlyOwnerChangesHotness);
    const removed = await answerWith(ctx, hotnessRows, id);
    hotness.removed_at = ctx.now();
    await ctx.em.flush();
    publish(ctx, hotnessRemoved, hotness, eventData(hotness));
    return removed;
  },
});

function eventData({ id, user_id }: Hotness) {
  return { hotness_id: id, user_id };
}
