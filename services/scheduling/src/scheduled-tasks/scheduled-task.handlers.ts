import type { Rule } from '@crm/auth';
import { invalidField, required } from '@crm/contract';
import { taskChanged } from '@crm/events';
import {
  answerWith,
  type Context,
  demand,
  findPage,
  getRecord,
  implement,
  inSteps,
  publish,
} from '@crm/service';
import { noteAssignment } from '../task-alerts/note-assignment.ts';
import { recurrenceFrom, startSeries } from '../task-series/start-series.ts';
import { addTask } from '../tasks/add-task.ts';
import { checkReferences, seesContact } from '../tasks/check-references.ts';
import { dueAfter, inZone } from '../tasks/due.ts';
import { lockTask } from '../tasks/lock-task.ts';
import { Task } from '../tasks/task.entity.ts';
import { mayRemoveTask, onlyOwnerRemovesTask } from '../tasks/task.policy.ts';
import { taskEventData } from '../tasks/task-event-data.ts';
import { fieldsOf, ruleOf } from './read-draft.ts';
import { removeOccurrences } from './remove-occurrences.ts';
import { replaceTask } from './replace-task.ts';
import { scheduledTaskApi } from './scheduled-task.api.ts';
import { scheduledTaskRows } from './scheduled-task.queries.ts';

export const scheduledTaskHandlers = implement(scheduledTaskApi, {
  find: (ctx, { reminder_types = [], where, ...input }) => {
    const asked = { ...input, where: inZone(where, ctx.user.timezone) };
    const wanted: Rule = reminder_types.length > 0 ? { reminder_type: reminder_types } : {};
    return findPage(ctx, scheduledTaskRows, asked, wanted);
  },

  get: (ctx, { $where = [], ...input }) =>
    getRecord(ctx, scheduledTaskRows, { ...input, $where: inZone($where, ctx.user.timezone) }),

  create: inSteps(scheduledTaskApi.create, {
    ask: seesContact,
    act: async (ctx, draft, isContactSeen) => {
      const due = dueAfter(draft, ctx.user.timezone);
      const rule = ruleOf(draft, due);
      await checkReferences(ctx, draft, isContactSeen);
      if (!rule) {
        const task = await addTask(ctx, fieldsOf(draft), due, draft.status);
        return answerWith(ctx, scheduledTaskRows, task.id);
      }
      const fields = fieldsOf(draft);
      const first = await startSeries(ctx, fields, recurrenceFrom(rule, due, fields));
      await noteAssignment(ctx, { ...fields, id: first, status: draft.status });
      await setStatus(ctx, await ctx.em.findOneOrFail(Task, first), draft.status);
      return answerWith(ctx, scheduledTaskRows, first);
    },
  }),

  patch: inSteps(scheduledTaskApi.patch, {
    ask: seesContact,
    act: async (ctx, { id, $where, $select, update_type = 1, ...sent }, isContactSeen) => {
      const locked = await lockTask(ctx, scheduledTaskRows, { id, $where });
      if (update_type === 3) {
        if (!sent.status) throw invalidField('status', required);
        await setStatus(ctx, locked.task, sent.status);
        publish(ctx, taskChanged, locked.task, taskEventData(locked.task));
      } else {
        await replaceTask(ctx, locked, sent, { isContactSeen, withFollowing: update_type === 2 });
      }
      return answerWith(ctx, scheduledTaskRows, id);
    },
  }),

  remove: async (ctx, { id, $where, delete_type = 1 }) => {
    const locked = await lockTask(ctx, scheduledTaskRows, { id, $where });
    demand(mayRemoveTask(ctx.user, locked.task), onlyOwnerRemovesTask);
    const removed = await answerWith(ctx, scheduledTaskRows, id);
    await removeOccurrences(ctx, locked, delete_type);
    return removed;
  },
});

/** Changes only the status. The caller publishes the event. */
async function setStatus(ctx: Context, task: Task, status: Task['status']) {
  if (status === task.status) return;
  task.moveTo(status, ctx.user.id, ctx.now());
  task.modified_at = ctx.now();
  await ctx.em.flush();
}
