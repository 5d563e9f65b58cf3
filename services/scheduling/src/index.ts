import { proceduresOf, type ServiceDefinition } from '@crm/service';
import { schedulingApi } from './api.ts';
import { calendarHandlers } from './calendar/calendar.handlers.ts';
import { communicationHandlers } from './communications/communication.handlers.ts';
import { communicationDispatcher } from './dispatch/communication-dispatcher.ts';
import { moveLateWorker } from './dispatch/move-late.ts';
import { enrolmentHandlers } from './enrolments/enrolment.handlers.ts';
import { removeStoppedWorker } from './enrolments/remove-stopped.ts';
import { forgetRepliesWorker } from './replies/forget-replies.ts';
import { replyHandlers } from './replies/reply.handlers.ts';
import { rowProblems } from './row-problems.ts';
import { scheduledTaskHandlers } from './scheduled-tasks/scheduled-task.handlers.ts';
import { sendingPauseHandlers } from './sending-pauses/sending-pause.handlers.ts';
import type { Settings } from './settings.ts';
import { statusHandlers } from './statuses/status.handlers.ts';
import { schedulingStore } from './store.ts';
import { subscriptions } from './subscriptions.ts';
import { remindWorker } from './task-alerts/remind.ts';
import { taskAlertDispatcher } from './task-alerts/task-alert-dispatcher.ts';
import { taskCategoryHandlers } from './task-categories/task-category.handlers.ts';
import { extendSeriesWorker } from './task-series/extend-series.ts';
import { taskHandlers } from './tasks/task.handlers.ts';
import { unsubscribeHandlers } from './unsubscribe/unsubscribe.handlers.ts';

export { schedulingStore } from './store.ts';

/** The service for tasks and for the communications of campaigns, which it sends. */
export const schedulingService = (settings: Settings): ServiceDefinition => ({
  name: 'scheduling',
  contract: schedulingApi,
  procedures: proceduresOf(schedulingApi, {
    calendar: calendarHandlers,
    communications: communicationHandlers,
    enrolments: enrolmentHandlers(settings),
    replies: replyHandlers,
    scheduledTasks: scheduledTaskHandlers,
    sendingPauses: sendingPauseHandlers,
    statuses: statusHandlers(settings),
    taskCategories: taskCategoryHandlers,
    tasks: taskHandlers,
    unsubscribe: unsubscribeHandlers,
  }),
  store: schedulingStore,
  needs: ['contacts'],
  subscriptions,
  problems: rowProblems,
  workers: [
    extendSeriesWorker,
    communicationDispatcher(settings),
    moveLateWorker,
    forgetRepliesWorker,
    remindWorker,
    removeStoppedWorker,
    taskAlertDispatcher(settings),
  ],
});
