import { crashPoints } from '@crm/messaging';

/** The point at which a crash leaves contacts in a campaign that the operation does not count yet. */
export const { clearCrashPoints, crashPoint, setCrashPointOnce } = crashPoints<'enrolled'>();
