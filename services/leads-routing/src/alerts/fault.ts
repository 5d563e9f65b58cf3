import { faultPoints } from '@crm/messaging';

/** The moments of an alert at which a crash leaves it half done. */
export type AlertFault = 'alert.leased' | 'alert.begun' | 'alert.sent' | 'alert.assigned';

export const { fault, setFault } = faultPoints<AlertFault>();
