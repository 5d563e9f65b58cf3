import { errorCode } from '@crm/contract';

/**
 * Codes that concern the database and not the statement: it is restarting, is a standby or out of resources, rejects the role,
 * has ended the session, or another session has held a lock for too long.
 */
const unavailableCodes = /^(08...|25006|25P03|28(000|P01)|53...|55P03|57P0.)$/;

/**
 * Whether an error comes from the state of the database and not from the statement, so that the same statement may succeed later.
 */
export const isDatabaseUnavailable = (error: unknown): boolean => unavailableCodes.test(errorCode(error));
