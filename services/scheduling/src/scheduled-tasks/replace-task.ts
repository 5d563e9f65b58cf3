import { taskChanged } from '@crm/events';
import { isSameRule } from '@crm/recurrence';
import { type Context, causeNow, publish } from '@crm/service';
import type { z } from 'zod';
import { noteAssignment } from '../task-alerts/note-assignment.ts';
import { continueFrom } from '../task-series/continue-from.ts';
import { regularFrom } from '../task-series/continue-series.ts';
import { recurrenceOf } from '../task-series/recurrence.ts';
import { endWith, standAlone } from '../task-series/stand-alone.ts';
import { recurrenceFrom } from '../task-series/start-series.ts';
import { checkReferences } from '../tasks/check-references.ts';
import { dueAfter, dueOf, isSameDue, timeOf } from '../tasks/due.ts';
import type { LockedTask } from '../tasks/lock-task.ts';
import { taskEventData } from '../tasks/task-event-data.ts';
import { completeDraft, fieldsOf, ruleOf } from './read-draft.ts';
import type { scheduledTaskApi } from './scheduled-task.api.ts';

type Sent = Omit<z.output<typeof scheduledTaskApi.patch.input>, 'id' | 'update_type'>;

interface How {
  readonly isContactSeen: boolean;
  readonly withFollowing: boolean;
}

/**
 * Replaces all values of a task with those that are sent, or their defaults, and optionally those of the following ones. The
 * status applies only to this occurrence. Throws BadRequest.
 */
export async function replaceTask(ctx: Context, locked: LockedTask, sent: Sent, how: How): Promise<void> {
  const { task } = locked;
  const draft = completeDraft(sent);
  const { timezone } = ctx.user;
  const due = dueAfter({ due_at: draft.due_at, timezone: draft.timezone ?? timezone }, timezone, dueOf(task));
  const sentRule = ruleOf(draft, due);
  await checkReferences(ctx, draft, how.isContactSeen, task);
  const fields = fieldsOf(draft, task.action_type);
  const recurrence = recurrenceOf(locked.series);
  const { assigned_user_id: before = null } = task;
  task.moveTo(draft.status, ctx.user.id, ctx.now());

  if (recurrence && how.withFollowing && sentRule) {
    await ctx.em.flush();
    const recurring = recurrenceFrom(sentRule, due, fields);
    // An unchanged due time may be one that the occurrence was moved to alone: the following ones are not moved as well.
    const regular = isSameDue(due, dueOf(task))
      ? regularFrom(recurrence, task.occurrence_index, recurring, fields)
      : undefined;
    await continueFrom(ctx, locked, fields, regular ?? recurring, regular && timeOf(due, regular.zone));
    return noteAssignment(ctx, { ...fields, id: task.id, status: task.status }, before);
  }
  ctx.em.assign(task, { ...fields, ...due, modified_at: ctx.now(), cause: causeNow(ctx) });
  if (recurrence && how.withFollowing) await endWith(ctx, locked);
  else if (recurrence && !(sentRule && isSameRule(sentRule.rule, recurrence.rule)))
    await standAlone(ctx, locked);
  await ctx.em.flush();
  publish(ctx, taskChanged, task, taskEventData(task));
  await noteAssignment(ctx, task, before);
}
