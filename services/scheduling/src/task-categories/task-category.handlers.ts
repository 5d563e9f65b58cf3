import { taskCategoryChanged, taskCategoryCreated, taskCategoryRemoved } from '@crm/events';
import { answerWith, demand, findPage, getRecord, implement, loadForChange, publish } from '@crm/service';
import { taskCategoryApi } from './task-category.api.ts';
import { TaskCategory } from './task-category.entity.ts';
import { mayChangeTaskCategory, onlyOwnerChangesCategory } from './task-category.policy.ts';
import { taskCategoryRows } from './task-category.queries.ts';

export const taskCategoryHandlers = implement(taskCategoryApi, {
  find: (ctx, input) => findPage(ctx, taskCategoryRows, input),

  get: (ctx, input) => getRecord(ctx, taskCategoryRows, input),

  create: async (ctx, { name }) => {
    const now = ctx.now();
    const times = { created_at: now, modified_at: now };
    const category = ctx.em.create(TaskCategory, { name, user_id: ctx.user.id, ...times });
    await ctx.em.flush();
    publish(ctx, taskCategoryCreated, category, eventData(ctx.user.id, category));
    return answerWith(ctx, taskCategoryRows, category.id);
  },

  patch: async (ctx, { id, $where, name }) => {
    const category = await loadForChange(ctx, TaskCategory, taskCategoryRows, { id, $where });
    demand(mayChangeTaskCategory(ctx.user, category), onlyOwnerChangesCategory);
    ctx.em.assign(category, { ...(name !== undefined && { name }), modified_at: ctx.now() });
    await ctx.em.flush();
    publish(ctx, taskCategoryChanged, category, eventData(ctx.user.id, category));
    return answerWith(ctx, taskCategoryRows, id);
  },

  // Tasks stop showing it immediately; a worker clears it from all tasks that have it.
  remove: async (ctx, { id, $where }) => {
    const category = await loadForChange(ctx, TaskCategory, taskCategoryRows, { id, $where });
    demand(mayChangeTaskCategory(ctx.user, category), onlyOwnerChangesCategory);
    const removed = await answerWith(ctx, taskCategoryRows, id);
    category.removed_at = ctx.now();
    await ctx.em.flush();
    publish(ctx, taskCategoryRemoved, category, eventData(ctx.user.id, category));
    return removed;
  },
});

/** Only its owner can change a category. */
function eventData(user_id: number, { id }: TaskCategory) {
  return { task_category_id: id, user_id };
}
