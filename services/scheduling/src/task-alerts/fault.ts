import { faultPoints } from '@crm/messaging';

/** The moments of an alert of a task at which a crash leaves it half done. */
export type TaskAlertFault = 'task-alert.leased' | 'task-alert.begun' | 'task-alert.sent';

export const { fault, setFault } = faultPoints<TaskAlertFault>();
