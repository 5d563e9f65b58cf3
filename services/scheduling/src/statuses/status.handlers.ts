import { finishReport, type Received, receiveStatus, reportedIn } from '@crm/dispatch';
import { implement, inSteps } from '@crm/service';
import { communicationQueue } from '../dispatch/communication-dispatcher.ts';
import type { Settings } from '../settings.ts';
import { taskAlertQueue } from '../task-alerts/task-alert-dispatcher.ts';
import { noticeQueue } from '../text-notices/text-notice-dispatcher.ts';
import { statusApi } from './status.api.ts';

export const statusHandlers = (settings: Settings) => {
  const queues = [
    reportedIn(communicationQueue(settings)),
    reportedIn(taskAlertQueue),
    reportedIn(noticeQueue(settings)),
  ];
  return implement(statusApi, {
    report: inSteps(statusApi.report, {
      act: (ctx, request) => receiveStatus(ctx, request, settings.delivery, queues),
      finish: (ctx, received: Received) => finishReport(ctx, received, queues),
    }),
  });
};
