import { crashPoints } from '@crm/messaging';

/** The points at which a crash leaves an addition to a campaign, or a removal, unfinished. */
export type EnrolmentCrashPoint = 'added' | 'leased' | 'scheduled' | 'removed' | 'campaign removed';

export const { clearCrashPoints, crashPoint, setCrashPoint, setCrashPointOnce } =
  crashPoints<EnrolmentCrashPoint>();
