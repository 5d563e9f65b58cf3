import { type Query, withheldReason } from '@crm/data';
import { digestOf } from '@crm/delivery';
import { enrolmentCreated, taskCreated, taskSeriesCreated } from '@crm/events';
import { causeNow, publish, type TransactionContext } from '@crm/service';
import { Communication } from '../communications/communication.entity.ts';
import { isEnded } from '../enrolment-ends/enrolment-end.queries.ts';
import { noteAssignment } from '../task-alerts/note-assignment.ts';
import { planOccurrences } from '../task-series/plan-occurrences.ts';
import { newSeries, occurrenceRow } from '../task-series/start-series.ts';
import { addOccurrences } from '../task-series/task-series.queries.ts';
import { newScheduledEvent, newTask, type Origin } from '../tasks/add-task.ts';
import { Task } from '../tasks/task.entity.ts';
import { seriesEventData, taskEventData } from '../tasks/task-event-data.ts';
import type { TaskSeries } from '../tasks/task-series.entity.ts';
import { missingAmong, storeTexts } from '../template-texts/template-text.queries.ts';
import { type CommunicationDraft, draftsOf, type Plan, type TaskDraft } from './drafts.ts';
import { textsMissing } from './enrolment.api.ts';
import { type Counts, type Enrolment, insertEnrolment } from './enrolment.queries.ts';
import { enrolmentAggregate, enrolmentEventData } from './enrolment-event-data.ts';

/**
 * Creates the result of a plan, and returns how much was created. A repetition creates nothing and returns the same. If the
 * contact, the campaign or the campaign contact has ended, nothing is created.
 */
export async function enrol(
  ctx: TransactionContext,
  campaign_contact_id: number,
  plan: Plan,
): Promise<Counts> {
  const { query, requestId } = ctx;
  const { campaign_id, contact_id, user_id, delegation_id = null } = plan;
  const enrolment = { campaign_contact_id, campaign_id, contact_id, user_id };
  const { communications, tasks } = draftsOf(plan);
  const created = { communications: communications.length, tasks: tasks.length };
  const hasEnded = await isEnded(ctx.query, [
    { what: 'campaign contact', id: campaign_contact_id },
    { what: 'campaign', id: campaign_id },
    { what: 'contact', id: contact_id },
  ]);
  if (hasEnded) return { communications: 0, tasks: 0 };
  const texted = await storeIncluded(ctx.query, communications);
  const inserted = await insertEnrolment(ctx.query, { ...enrolment, delegation_id }, created, ctx.now());
  if ('before' in inserted) return inserted.before;
  /** Whether messages due at that time may have been sent before the system was restored. */
  const isWithheld = (at: Date) => inserted.restored_at !== null && at <= inserted.restored_at;
  for (const draft of texted)
    newCommunication(ctx, enrolment, plan, { ...draft, ...stateOf(isWithheld(draft.send_at)) });
  const act = delegation_id === null ? null : { delegation_id };
  const added = await addTasks(ctx, enrolment, tasks);
  if (!isWithheld(new Date(plan.start_at)))
    for (const task of added) await noteAssignment({ query, requestId, user: { id: user_id, act } }, task);
  publish(ctx, enrolmentCreated, enrolmentAggregate(enrolment), enrolmentEventData(enrolment));
  return created;
}

/**
 * The communications, all of which now refer to stored texts. Included texts are stored; throws a Conflict if others are missing.
 */
async function storeIncluded(
  query: Query,
  communications: readonly CommunicationDraft[],
): Promise<CommunicationDraft[]> {
  await storeTexts(
    query,
    communications.flatMap(({ body }) => (body === null ? [] : [body])),
  );
  const referring = communications.map((draft) =>
    draft.body === null ? draft : { ...draft, body_digest: digestOf(draft.body) },
  );
  const digests = new Set(
    referring.map(({ body_digest }) => body_digest).filter((digest) => digest !== null),
  );
  const missing = await missingAmong(query, [...digests]);
  if (missing.length === 0) return referring;
  throw textsMissing({ errors: Object.fromEntries(missing.map((digest) => [digest, 'is not stored'])) });
}

const stateOf = (isWithheld: boolean) =>
  isWithheld
    ? ({ dispatch_state: 'Failed', dispatch_reason: withheldReason } as const)
    : ({ dispatch_state: 'Scheduled' } as const);

function newCommunication(
  { em, now, requestId }: TransactionContext,
  { campaign_contact_id, campaign_id, contact_id }: Enrolment,
  { campaign_name, timezone, start_at }: Plan,
  { action, body, ...pinned }: CommunicationDraft & ReturnType<typeof stateOf>,
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
    // A reply since then stops it, although it may be created later because this service did not respond.
    created_at: new Date(start_at),
    modified_at: now(),
    next_attempt_at: pinned.send_at,
    cause: causeNow({ requestId }),
  });
}

/**
 * Writes all scheduled events with one statement, and then all tasks with another, however many there are. Returns the tasks
 * whose assignees are notified.
 */
async function addTasks(
  ctx: TransactionContext,
  enrolment: Enrolment,
  drafts: readonly TaskDraft[],
): Promise<Task[]> {
  const { campaign_contact_id, user_id } = enrolment;
  const origin = { crm_user_id: user_id, action: 'campaign_actions', campaign_contact_id } as const;
  const prepared = drafts.map((draft) => prepare(ctx, origin, draft));
  await ctx.em.flush();
  const tasks = prepared.flatMap(({ draft: { fields, due }, scheduledEvent, occurrences }) =>
    occurrences ? [] : [newTask(ctx, scheduledEvent, fields, due)],
  );
  await ctx.em.flush();
  const recurring = prepared.flatMap(({ scheduledEvent, occurrences }) =>
    occurrences ? [{ series: scheduledEvent, occurrences }] : [],
  );
  await addOccurrences(
    ctx.query,
    recurring.map(({ series, occurrences }) => ({ series: series.id, occurrences })),
    ctx.now(),
  );
  for (const task of tasks) publish(ctx, taskCreated, task, taskEventData(task));
  for (const { series } of recurring) publish(ctx, taskSeriesCreated, series, seriesEventData(series));
  return [...tasks, ...(await firstTasks(ctx, recurring))];
}

/** The first occurrences, because the assignee of a recurring task is notified once. */
function firstTasks(
  { em }: TransactionContext,
  recurring: readonly { readonly series: TaskSeries }[],
): Promise<Task[]> {
  const scheduled_event_id = { $in: recurring.map(({ series }) => series.id) };
  return recurring.length > 0
    ? em.find(Task, { scheduled_event_id, occurrence_index: 0 })
    : Promise.resolve([]);
}

function prepare(ctx: TransactionContext, origin: Origin, draft: TaskDraft) {
  const { fields, due, recurrence } = draft;
  if (!recurrence) return { draft, scheduledEvent: newScheduledEvent(ctx, origin, due.due_at) };
  const { added, ...next } = planOccurrences(recurrence, 0, 0, ctx.now().toTemporalInstant());
  const scheduledEvent = newSeries(ctx, origin, fields, recurrence, next);
  return { draft, scheduledEvent, occurrences: added.map(occurrenceRow) };
}
