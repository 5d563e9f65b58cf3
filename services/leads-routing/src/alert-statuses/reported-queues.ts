import { reportedIn } from '@crm/dispatch';
import { alertQueue } from '../alerts/dispatcher.ts';
import { routeAlertQueue } from '../route-alerts/route-alert-dispatcher.ts';
import type { Settings } from '../settings.ts';

/** The queues whose messages are the subject of reports by providers and mail servers. */
export const reportedQueues = (settings: Settings) => [
  reportedIn(alertQueue(settings)),
  reportedIn(routeAlertQueue),
];
