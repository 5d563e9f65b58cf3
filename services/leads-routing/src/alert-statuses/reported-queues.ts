import { reportedIn } from '@crm/dispatch';
import { alertQueue } from '../alerts/dispatcher.ts';
import { routeAlertQueue } from '../route-alerts/route-alert-dispatcher.ts';
import type { Settings } from '../settings.ts';

/** The queues whose messages providers and mail servers report about. */
export const reportedQueues = (settings: Settings) => [
  reportedIn(alertQueue(settings)),
  reportedIn(routeAlertQueue),
];
