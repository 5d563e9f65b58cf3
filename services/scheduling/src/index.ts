import { operatorHandlers, proceduresOf, type ServiceDefinition } from '@crm/service';
import { schedulingApi } from './api.ts';
import { bounceHandlers } from './bounces/bounce.handlers.ts';
import { calendarHandlers } from './calendar/calendar.handlers.ts';
import { communicationHandlers } from './communications/communication.handlers.ts';
import { communicationPartitions } from './communications/communication-partitions.ts';
import { removedRecipientsWorker } from './communications/forget-removed-recipients.ts';
import { forgetRemovedSendingsWorker } from './communications/forget-removed-sendings.ts';
import { communicationDispatcher } from './dispatch/communication-dispatcher.ts';
import { moveLateWorker } from './dispatch/move-late.ts';
import { enrolmentHandlers } from './enrolments/enrolment.handlers.ts';
import { removeStoppedWorker } from './enrolments/remove-stopped.ts';
import { missedTextsWorker } from './inbound-texts/fetch-missed-texts.ts';
import { inboundTextHandlers } from './inbound-texts/inbound-text.handlers.ts';
import { textSettler } from './inbound-texts/settle-texts-worker.ts';
import { optOutSettler } from './opt-outs/settle-opt-outs.ts';
import { forgetRepliesWorker } from './replies/forget-replies.ts';
import { replyHandlers } from './replies/reply.handlers.ts';
import { rowProblems } from './row-problems.ts';
import { scheduledTaskHandlers } from './scheduled-tasks/scheduled-task.handlers.ts';
import { pausePageHandlers } from './sending-pauses/pause-page.handlers.ts';
import { sendingPauseHandlers } from './sending-pauses/sending-pause.handlers.ts';
import type { Settings } from './settings.ts';
import { statusHandlers } from './statuses/status.handlers.ts';
import { schedulingStore } from './store.ts';
import { subscriptions } from './subscriptions.ts';
import { remindWorker } from './task-alerts/remind.ts';
import { taskAlertDispatcher } from './task-alerts/task-alert-dispatcher.ts';
import { taskCategoryHandlers } from './task-categories/task-category.handlers.ts';
import { extendSeriesWorker } from './task-series/extend-series.ts';
import { removedReferencesWorker } from './tasks/clear-removed-references.ts';
import { removedContactsWorker } from './tasks/forget-removed-contacts.ts';
import { taskHandlers } from './tasks/task.handlers.ts';
import { templateTextsWorker } from './template-texts/template-texts-worker.ts';
import { noticeDispatcher } from './text-notices/text-notice-dispatcher.ts';
import { textPauseHandlers } from './text-pauses/text-pause.handlers.ts';
import { textPausePageHandlers } from './text-pauses/text-pause-page.handlers.ts';
import { unsubscribeHandlers } from './unsubscribe/unsubscribe.handlers.ts';

export { schedulingStore } from './store.ts';
export { subscriptions as schedulingSubscriptions } from './subscriptions.ts';

const service = { name: 'scheduling', store: schedulingStore, subscriptions };

/** The service for tasks, for the communications of campaigns, which it sends, and for incoming texts. */
export function schedulingService(settings: Settings): ServiceDefinition {
  return {
    ...service,
    procedures: proceduresOf(schedulingApi, {
      ...operatorHandlers(service),
      bounces: bounceHandlers(settings),
      calendar: calendarHandlers,
      communications: communicationHandlers,
      enrolments: enrolmentHandlers(settings),
      inboundTexts: inboundTextHandlers(settings),
      pausePage: pausePageHandlers,
      replies: replyHandlers,
      scheduledTasks: scheduledTaskHandlers,
      sendingPauses: sendingPauseHandlers,
      statuses: statusHandlers(settings),
      taskCategories: taskCategoryHandlers,
      tasks: taskHandlers,
      textPausePage: textPausePageHandlers,
      textPauses: textPauseHandlers,
      unsubscribe: unsubscribeHandlers,
    }),
    history: communicationPartitions,
    needs: ['contacts'],
    problems: rowProblems,
    workers: workersFor(settings),
  };
}

const workersFor = (settings: Settings) => [
  textSettler,
  missedTextsWorker(settings),
  noticeDispatcher(settings),
  extendSeriesWorker,
  communicationDispatcher(settings),
  moveLateWorker,
  optOutSettler,
  forgetRemovedSendingsWorker,
  forgetRepliesWorker,
  remindWorker,
  removedContactsWorker,
  removedRecipientsWorker,
  removedReferencesWorker,
  removeStoppedWorker,
  taskAlertDispatcher(settings),
  templateTextsWorker,
];
