import { z } from 'zod';
import { publisher } from './define-event.ts';

const { defineEvent, events } = publisher<'scheduling'>();

export { events as schedulingEvents };

const task = z.object({ task_id: z.int(), scheduled_event_id: z.int(), owner_user_id: z.int() });
export const taskCreated = defineEvent(
  'scheduling.task.created',
  'A task that does not recur was added',
  task,
);
export const taskChanged = defineEvent('scheduling.task.changed', 'A task was changed', task);
export const taskRemoved = defineEvent('scheduling.task.removed', 'A task was removed', task);

const taskSeries = z.object({ scheduled_event_id: z.int(), crm_user_id: z.int() });
export const taskSeriesCreated = defineEvent(
  'scheduling.task-series.created',
  'A recurring task was added, or split from another one',
  taskSeries,
);
export const taskSeriesChanged = defineEvent(
  'scheduling.task-series.changed',
  'A recurring task was shortened, or more of its occurrences were created',
  taskSeries,
);
export const taskSeriesRemoved = defineEvent(
  'scheduling.task-series.removed',
  'A recurring task was removed with its remaining occurrences',
  taskSeries,
);

const taskCategory = z.object({ task_category_id: z.int(), user_id: z.int() });
export const taskCategoryCreated = defineEvent(
  'scheduling.task-category.created',
  'A task category was added',
  taskCategory,
);
export const taskCategoryChanged = defineEvent(
  'scheduling.task-category.changed',
  'A task category was renamed',
  taskCategory,
);
export const taskCategoryRemoved = defineEvent(
  'scheduling.task-category.removed',
  'A task category was removed, and cleared from the tasks that had it',
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
  'The communications and tasks of a contact in a campaign were created',
  enrolment,
);
export const enrolmentRemoved = defineEvent(
  'scheduling.enrolment.removed',
  'The unsent communications and open tasks of a contact in a campaign were removed',
  enrolment,
);

const communication = z.object({
  communication_id: z.int(),
  campaign_contact_id: z.int(),
  contact_id: z.int(),
});
export const communicationCompleted = defineEvent(
  'scheduling.communication.completed',
  'A communication was marked as done and will not be sent',
  communication,
);
export const communicationReopened = defineEvent(
  'scheduling.communication.reopened',
  'A communication was marked as not done',
  communication,
);
export const communicationDispatched = defineEvent(
  'scheduling.communication.dispatched',
  'A communication was sent to a provider, or one that had failed turned out to have been sent',
  communication,
);
export const communicationFailed = defineEvent(
  'scheduling.communication.failed',
  'A communication could not be sent and will not be retried automatically',
  communication,
);
export const communicationMoved = defineEvent(
  'scheduling.communication.moved',
  'A communication was rescheduled, because its time was missed or it may not be sent yet',
  communication,
);
export const communicationStopped = defineEvent(
  'scheduling.communication.stopped',
  'A communication was stopped, because the contact replied or was removed',
  communication,
);

export const inboundTextReceived = defineEvent(
  'scheduling.inbound-text.received',
  'A text was received',
  z.object({ inbound_text_id: z.string() }),
);
