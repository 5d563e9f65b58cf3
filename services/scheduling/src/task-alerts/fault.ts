import { faultPoints } from '@crm/messaging';

/** The points at which a crash leaves an alert of a task half done. */
export type TaskAlertFault = 'task-alert.leased' | 'task-alert.begun' | 'task-alert.sent';

export const { fault, setFault } = faultPoints<TaskAlertFault>();
