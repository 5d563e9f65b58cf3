import { faultPoints } from '@crm/messaging';

/** The moments of putting a contact into a campaign, and of taking it out, at which a crash leaves it half done. */
export type EnrolmentFault = 'added' | 'taken' | 'scheduled' | 'removed' | 'campaign removed';

export const { fault, setFault } = faultPoints<EnrolmentFault>();
