import { auditEventApi, causeApi, deadLetterApi, eventStream, type RouterOf } from '@crm/contract';
import { CloudEvent, schedulingEvents } from '@crm/events';
import { bounceApi } from './bounces/bounce.api.ts';
import { calendarApi } from './calendar/calendar.api.ts';
import { communicationApi } from './communications/communication.api.ts';
import { enrolmentApi } from './enrolments/enrolment.api.ts';
import { inboundTextApi } from './inbound-texts/inbound-text.api.ts';
import { replyApi } from './replies/reply.api.ts';
import { scheduledTaskApi } from './scheduled-tasks/scheduled-task.api.ts';
import { pausePageApi } from './sending-pauses/pause-page.api.ts';
import { sendingPauseApi } from './sending-pauses/sending-pause.api.ts';
import { statusApi } from './statuses/status.api.ts';
import { taskCategoryApi } from './task-categories/task-category.api.ts';
import { taskApi } from './tasks/task.api.ts';
import { textPauseApi, textPausePageApi } from './text-pauses/text-pause.api.ts';
import { unsubscribeApi } from './unsubscribe/unsubscribe.api.ts';

export { communicationTypes } from './communications/communication-type.api.ts';
export { agentTaskTypes, Plan, timingTypes } from './enrolments/enrolment.api.ts';
export { dueYears } from './tasks/task.api.ts';

/** The operations on tasks, communications and related records. */
export const schedulingApi = {
  auditEvents: auditEventApi,
  causes: causeApi,
  bounces: bounceApi,
  calendar: calendarApi,
  communications: communicationApi,
  deadLetters: deadLetterApi,
  enrolments: enrolmentApi,
  events: eventStream(CloudEvent, schedulingEvents),
  inboundTexts: inboundTextApi,
  pausePage: pausePageApi,
  replies: replyApi,
  scheduledTasks: scheduledTaskApi,
  sendingPauses: sendingPauseApi,
  statuses: statusApi,
  taskCategories: taskCategoryApi,
  tasks: taskApi,
  textPausePage: textPausePageApi,
  textPauses: textPauseApi,
  unsubscribe: unsubscribeApi,
};

/** For a tRPC client: `createTRPCClient<SchedulingRouter>`. */
export type SchedulingRouter = RouterOf<typeof schedulingApi>;
