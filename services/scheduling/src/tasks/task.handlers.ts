import { invalidField, required } from '@crm/contract';
import { taskChanged } from '@crm/events';
import { answerWith, causeNow, demand, findPage, getRecord, implement, inSteps, publish } from '@crm/service';
import { noteAssignment } from '../task-alerts/note-assignment.ts';
import { addTask } from './add-task.ts';
import { checkReferences, seesContact } from './check-references.ts';
import { dueAfter, dueOf, inZone } from './due.ts';
import { lockTask } from './lock-task.ts';
import { removeTask } from './remove-task.ts';
import { taskApi } from './task.api.ts';
import { mayRemoveTask, onlyOwnerRemovesTask } from './task.policy.ts';
import { taskRows } from './task.queries.ts';
import { taskEventData } from './task-event-data.ts';

export const taskHandlers = implement(taskApi, {
  find: (ctx, input) => findPage(ctx, taskRows, { ...input, where: inZone(input.where, ctx.user.timezone) }),

  get: (ctx, { $where = [], ...input }) =>
    getRecord(ctx, taskRows, { ...input, $where: inZone($where, ctx.user.timezone) }),

  create: inSteps(taskApi.create, {
    ask: seesContact,
    act: async (ctx, { action_type, reminder_type, status, due_at, timezone, ...draft }, isContactSeen) => {
      const type = action_type ?? reminder_type;
      if (!type) throw invalidField('action_type', required);
      await checkReferences(ctx, draft, isContactSeen);
      const { assigned_user_id = null, contact_id = null, notes = null, description } = draft;
      const sent = { assigned_user_id, contact_id, notes, description };
      // In this version, the assignee of a task is always reminded.
      const defaults = { is_all_day: false, notify_assignee: true, category_id: null };
      const due = dueAfter({ due_at, timezone }, ctx.user.timezone);
      const task = await addTask(ctx, { ...sent, ...defaults, action_type: type }, due, status);
      return answerWith(ctx, taskRows, task.id);
    },
  }),

  patch: inSteps(taskApi.patch, {
    ask: seesContact,
    act: async (ctx, { id, $where, $select, ...changes }, isContactSeen) => {
      const { task } = await lockTask(ctx, taskRows, { id, $where });
      await checkReferences(ctx, changes, isContactSeen, task);
      const { action_type, reminder_type, status = task.status, due_at, timezone, ...plain } = changes;
      // A record that is sent back has both names, and the client has changed one of them.
      const type = [action_type, reminder_type].find((sent) => sent && sent !== task.action_type);
      const { assigned_user_id: before = null } = task;
      task.moveTo(status, ctx.user.id, ctx.now());
      ctx.em.assign(task, {
        ...plain,
        ...(type && { action_type: type }),
        ...dueAfter({ due_at, timezone }, ctx.user.timezone, dueOf(task)),
        modified_at: ctx.now(),
        cause: causeNow(ctx),
      });
      await ctx.em.flush();
      publish(ctx, taskChanged, task, taskEventData(task));
      await noteAssignment(ctx, task, before);
      return answerWith(ctx, taskRows, id);
    },
  }),

  remove: async (ctx, { id, $where }) => {
    const { task, series } = await lockTask(ctx, taskRows, { id, $where });
    demand(mayRemoveTask(ctx.user, task), onlyOwnerRemovesTask);
    const removed = await answerWith(ctx, taskRows, id);
    await removeTask(ctx, task, series);
    return removed;
  },
});
