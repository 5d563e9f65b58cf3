import { faultPoints } from '@crm/messaging';

/** The points at which a crash leaves the addition of a contact to a campaign, or a removal, unfinished. */
export type EnrolmentFault = 'added' | 'leased' | 'scheduled' | 'removed' | 'campaign removed';

export const { fault, setFault } = faultPoints<EnrolmentFault>();
