import { crashPoints } from '@crm/messaging';

/**
 * The points at which a crash leaves a row half done: `leased`, `begun`, `sent` and `settled`, each prefixed with the name of its
 * queue.
 */
export const { clearCrashPoints, crashPoint, setCrashPoint, setCrashPointOnce } = crashPoints<string>();
