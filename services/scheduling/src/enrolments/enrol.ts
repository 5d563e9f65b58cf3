import type { Query } from '@crm/data';
import { enrolmentCreated, taskCreated, taskSeriesCreated } from '@crm/events';
import { publish } from '@crm/service';
import { Communication } from '../communications/communication.entity.ts';
import { noteAssignment } from '../task-alerts/note-assignment.ts';
import { makeOccurrences } from '../task-series/make-occurrences.ts';
import { instantOfDate, newSeries, placeOf } from '../task-series/start-series.ts';
import type { TaskSeries } from '../task-series/task-series.entity.ts';
import { addOccurrences } from '../task-series/task-series.queries.ts';
import { newEvent, newTask, type Origin } from '../tasks/add-task.ts';
import { Task } from '../tasks/task.entity.ts';
import { seriesEventData, taskEventData } from '../tasks/task-event-data.ts';
import type { TransactionContext } from '../transaction-context.ts';
import { type CommunicationDraft, draftsOf, type Plan, type TaskDraft } from './drafts.ts';
import { type Counts, type Enrolment, enter } from './enrolment.queries.ts';
import { isEnded } from './enrolment-end.queries.ts';
import { enrolmentAggregate, enrolmentEventData } from './enrolment-event-data.ts';

/**
 * Makes what a plan comes to, and tells how much it is. A second time it makes nothing and tells the same. Where the
 * contact, the campaign or the contact in it has come to its end, there is nothing to make.
 */
export async function enrol(
  ctx: TransactionContext,
  campaign_contact_id: number,
  plan: Plan,
): Promise<Counts> {
  const { campaign_id, contact_id, user_id } = plan;
  const enrolment = { campaign_contact_id, campaign_id, contact_id, user_id };
  const { communications, tasks } = draftsOf(plan);
  const made = { communications: communications.length, tasks: tasks.length };
  const ended = await isEnded(ctx.query, [
    { what: 'campaign contact', id: campaign_contact_id },
    { what: 'campaign', id: campaign_id },
    { what: 'contact', id: contact_id },
  ]);
  if (ended) return { communications: 0, tasks: 0 };
  const before = await enter(ctx.query, enrolment, made, ctx.now());
  if (before) return before;
  for (const draft of communications) newCommunication(ctx, enrolment, plan, draft);
  await addTasks(ctx, enrolment, tasks);
  publish(ctx, enrolmentCreated, enrolmentAggregate(enrolment), enrolmentEventData(enrolment));
  return made;
}

function newCommunication(
  { em, now }: TransactionContext,
  { campaign_contact_id, campaign_id, contact_id }: Enrolment,
  { campaign_name, timezone }: Plan,
  { action, ...pinned }: CommunicationDraft,
) {
  em.create(Communication, {
    ...pinned,
    campaign_contact_id,
    campaign_id,
    campaign_action_id: action.id,
    contact_id,
    campaign_name,
    timezone,
    is_stopped_on_text_reply: action.is_stopped_on_text_reply,
    template_id: action.template?.template_id ?? null,
    is_active: true,
    created_at: now(),
    modified_at: now(),
    dispatch_state: 'Scheduled',
    next_attempt_at: pinned.send_at,
  });
}

/** All events are written at once, and then all tasks: each of these is one statement, however many there are. */
async function addTasks(
  ctx: TransactionContext,
  enrolment: Enrolment,
  drafts: readonly TaskDraft[],
): Promise<void> {
  const { campaign_contact_id, user_id } = enrolment;
  const origin = { crm_user_id: user_id, action: 'campaign_actions', campaign_contact_id } as const;
  const begun = drafts.map((draft) => begin(ctx, origin, draft));
  await ctx.em.flush();
  const tasks = begun.flatMap(({ draft: { fields, due }, event, places }) =>
    places ? [] : [newTask(ctx, event, fields, due)],
  );
  await ctx.em.flush();
  const series = begun.flatMap(({ event, places }) => (places ? [{ event, places }] : []));
  await addOccurrences(
    ctx.query,
    series.map(({ event, places }) => ({ series: event.id, places })),
    ctx.now(),
  );
  for (const task of tasks) publish(ctx, taskCreated, task, taskEventData(task));
  for (const { event } of series) publish(ctx, taskSeriesCreated, event, seriesEventData(event));
  await noteAssignments(ctx.query, user_id, [...tasks, ...(await firstTasks(ctx, series))]);
}

/** Of a recurring task its assignee is told once. */
function firstTasks(
  { em }: TransactionContext,
  series: readonly { readonly event: TaskSeries }[],
): Promise<Task[]> {
  const scheduled_event_id = { $in: series.map(({ event }) => event.id) };
  return series.length > 0 ? em.find(Task, { scheduled_event_id, occurrence_index: 0 }) : Promise.resolve([]);
}

async function noteAssignments(query: Query, user_id: number, tasks: readonly Task[]): Promise<void> {
  for (const task of tasks) await noteAssignment({ query, user: { id: user_id } }, task);
}

function begin(ctx: TransactionContext, origin: Origin, draft: TaskDraft) {
  const { fields, due, recurrence } = draft;
  if (!recurrence) return { draft, event: newEvent(ctx, origin, due.due_at) };
  const { made, ...next } = makeOccurrences(recurrence, 0, 0, instantOfDate(ctx.now()));
  return { draft, event: newSeries(ctx, origin, fields, recurrence, next), places: made.map(placeOf) };
}
