import { crashPoints } from '@crm/messaging';

/** The point at which a crash leaves contacts in a campaign that the operation does not count yet. */
export type BulkEnrolmentCrashPoint = 'enrolled';

export const { clearCrashPoints, crashPoint, setCrashPointOnce } = crashPoints<BulkEnrolmentCrashPoint>();
