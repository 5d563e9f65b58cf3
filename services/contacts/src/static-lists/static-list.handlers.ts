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
    publish(ctx, staticListCreated, fact(list));
    return answerWith(ctx, staticListRows, list.id);
  },

  remove: async (ctx, { id, $where }) => {
    const list = await loadForChange(ctx, StaticList, staticListRows, { id, $where });
    const removed = await answerWith(ctx, staticListRows, id);
    ctx.em.remove(list);
    publish(ctx, staticListRemoved, fact(list, 1));
    return removed;
  },
});

/** A removal is a version of its own, one after the last. */
function fact({ id, version, owner_user_id }: StaticList, later = 0) {
  return { id, version: version + later, data: { static_list_id: id, owner_user_id } };
}
