import { faultPoints } from '@crm/messaging';

/** The points at which a crash leaves an alert unfinished. */
export type AlertFault = 'alert.leased' | 'alert.begun' | 'alert.sent' | 'alert.assigned';

export const { fault, setFault } = faultPoints<AlertFault>();
