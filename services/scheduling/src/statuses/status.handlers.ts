import { receiveStatus, reportedIn } from '@crm/dispatch';
import { implement } from '@crm/service';
import { communicationQueue } from '../dispatch/communication-dispatcher.ts';
import type { Settings } from '../settings.ts';
import { taskAlertQueue } from '../task-alerts/task-alert-dispatcher.ts';
import { noticeQueue } from '../text-notices/text-notice-dispatcher.ts';
import { statusApi } from './status.api.ts';

export const statusHandlers = (settings: Settings) =>
  implement(statusApi, {
    report: (ctx, request) =>
      receiveStatus(ctx, request, settings.delivery, [
        reportedIn(communicationQueue(settings)),
        reportedIn(taskAlertQueue),
        reportedIn(noticeQueue(settings)),
      ]),
  });
