import { staticListCreated, staticListRemoved } from '@crm/events';
import { answerWith, findPage, getRecord, implement, loadForChange, publish } from '@crm/service';
import { staticListApi } from './static-list.api.ts';
import { StaticList } from './static-list.entity.ts';
import { staticListRows } from './static-list.queries.ts';

export const staticListHandlers = implement(staticListApi, {
  find: (ctx, input) => findPage(ctx, staticListRows, input),

  get: (ctx, input) => getRecord(ctx, staticListRows, input),

  create: async (ctx, { list_name }) => {
    const list = ctx.em.create(StaticList, {
      list_name,
      owner_user_id: ctx.user.id,
      has_custom_audience: 0,
      created_at: ctx.now(),
      modified_at: ctx.now(),
    });
    await ctx.em.flush();
    publish(ctx, staticListCreated, list, eventData(list));
    return answerWith(ctx, staticListRows, list.id);
  },

  // It is hidden at once; a worker deletes the rows of its contacts, however many.
  remove: async (ctx, { id, $where }) => {
    const list = await loadForChange(ctx, StaticList, staticListRows, { id, $where });
    const removed = await answerWith(ctx, staticListRows, id);
    list.removed_at = ctx.now();
    await ctx.em.flush();
    publish(ctx, staticListRemoved, list, eventData(list));
    return removed;
  },
});

function eventData({ id, owner_user_id }: StaticList) {
  return { static_list_id: id, owner_user_id };
}
