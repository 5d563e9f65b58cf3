import { reportedIn } from '@crm/dispatch';
import { communicationQueue } from '../dispatch/communication-dispatcher.ts';
import type { Settings } from '../settings.ts';
import { taskAlertQueue } from '../task-alerts/task-alert-dispatcher.ts';
import { noticeQueue } from '../text-notices/text-notice-dispatcher.ts';

/** The queues about whose messages providers and mail servers report. */
export const reportedQueues = (settings: Settings) => [
  reportedIn(communicationQueue(settings)),
  reportedIn(taskAlertQueue),
  reportedIn(noticeQueue(settings)),
];
