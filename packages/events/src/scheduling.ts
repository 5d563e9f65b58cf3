import { z } from 'zod';
import { publisher } from './define-event.ts';

const { defineEvent, events } = publisher<'scheduling'>();

export { events as schedulingEvents };

const task = z.object({ task_id: z.int(), scheduled_event_id: z.int(), owner_user_id: z.int() });
export const taskCreated = defineEvent('scheduling.task.created', 'A task that stands alone was added', task);
export const taskChanged = defineEvent('scheduling.task.changed', 'One task was changed', task);
export const taskRemoved = defineEvent('scheduling.task.removed', 'One task is gone', task);

const taskSeries = z.object({ scheduled_event_id: z.int(), crm_user_id: z.int() });
export const taskSeriesCreated = defineEvent(
  'scheduling.task-series.created',
  'A recurring task was added, or went on as a new one from some occurrence',
  taskSeries,
);
export const taskSeriesChanged = defineEvent(
  'scheduling.task-series.changed',
  'A recurring task ends earlier, or more of its occurrences are there',
  taskSeries,
);
export const taskSeriesRemoved = defineEvent(
  'scheduling.task-series.removed',
  'A recurring task is gone, with all occurrences that it still had',
  taskSeries,
);

const taskCategory = z.object({ task_category_id: z.int(), user_id: z.int() });
export const taskCategoryCreated = defineEvent(
  'scheduling.task-category.created',
  'A category of tasks was added',
  taskCategory,
);
export const taskCategoryChanged = defineEvent(
  'scheduling.task-category.changed',
  'A category of tasks was renamed',
  taskCategory,
);
export const taskCategoryRemoved = defineEvent(
  'scheduling.task-category.removed',
  'A category of tasks is gone; tasks that had it have none',
  taskCategory,
);

const enrolment = z.object({
  campaign_contact_id: z.int(),
  campaign_id: z.int(),
  contact_id: z.int(),
  user_id: z.int(),
});
export const enrolmentCreated = defineEvent(
  'scheduling.enrolment.created',
  'The communications and tasks of a contact in a campaign were made',
  enrolment,
);
export const enrolmentRemoved = defineEvent(
  'scheduling.enrolment.removed',
  'What a contact in a campaign had still to get, or was still to be done, is gone',
  enrolment,
);

const communication = z.object({
  communication_id: z.int(),
  campaign_contact_id: z.int(),
  contact_id: z.int(),
});
export const communicationCompleted = defineEvent(
  'scheduling.communication.completed',
  'Somebody marked a communication as done, which then is not sent',
  communication,
);
export const communicationReopened = defineEvent(
  'scheduling.communication.reopened',
  'Somebody marked a communication as not done',
  communication,
);
export const communicationDispatched = defineEvent(
  'scheduling.communication.dispatched',
  'A communication was handed over to a provider',
  communication,
);
export const communicationFailed = defineEvent(
  'scheduling.communication.failed',
  'A communication will not be sent by itself any more, because it could not be',
  communication,
);
export const communicationMoved = defineEvent(
  'scheduling.communication.moved',
  'A communication that was missed will be sent on another day',
  communication,
);
export const communicationStopped = defineEvent(
  'scheduling.communication.stopped',
  'A communication is not sent any more, because the contact has replied or is gone',
  communication,
);
