import { faultPoints } from '@crm/messaging';

/** The point at which a crash leaves contacts in a campaign that the operation does not count yet. */
export type BulkEnrolmentFault = 'enrolled';

export const { fault, setFault } = faultPoints<BulkEnrolmentFault>();
