import { errorCode } from '@crm/contract';

/**
 * Codes that say something about the database and nothing about what it was asked: it restarts, is a standby or out of
 * resources, does not let the role in, has ended the session, or somebody else holds a lock for too long.
 */
const unavailableCodes = /^(08...|25006|25P03|28(000|P01)|53...|55P03|57P0.)$/;

/** Whether the database could not do now what it was asked, whatever that was, so that the same may succeed later. */
export const isDatabaseUnavailable = (error: unknown): boolean => unavailableCodes.test(errorCode(error));
