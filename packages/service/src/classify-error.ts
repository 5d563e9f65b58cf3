import { errorCode, Refused, unavailable } from '@crm/contract';

/** Codes of serialization failures and deadlocks: the transaction succeeds if it is run again. */
const collisions = new Set(['40001', '40P01']);

/**
 * Codes for a database that is unavailable, restarting, a standby, out of resources or too slow, or that has ended a
 * transaction because its process stood still.
 */
const unavailableCodes = /^(08...|25006|25P0[34]|53...|57P0.|57014|55P03)$/;
/** Codes for a host that cannot be reached now, or whose name cannot be resolved now. */
const unreachableCodes =
  /^(ECONN(REFUSED|RESET|ABORTED)|E(HOST|NET)(UNREACH|DOWN)|EPIPE|ETIMEDOUT|EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN)$/;
const unavailableTexts =
  /timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|Client has encountered a connection error/;

/** Codes of a password or role that the server refuses. */
const notLetIn = /^28(000|P01)$/;

/** Whether the server refuses the password or the role. While a password is replaced this passes, so callers may retry. */
export const isNotLetIn = (error: unknown): boolean => notLetIn.test(errorCode(error));

/** The code of a transaction that PostgreSQL has ended because it lasted too long. */
const tooLong = '25P04';

/** Whether an error, or one that led to it, is that a transaction lasted too long. */
export function isTooLong(error: unknown): boolean {
  return errorCode(error) === tooLong || (error instanceof Error && isTooLong(error.cause));
}

export function isCollision(error: unknown): boolean {
  return collisions.has(errorCode(error));
}

/** Whether an error is about the data of a statement, so that it would occur again. */
export function isAboutData(error: unknown): boolean {
  return /^(22...|23...|P0...)$/.test(errorCode(error));
}

/** The name of the violated constraint, if an error is about a unique one. */
export function violatedUnique(error: unknown): string | undefined {
  if (errorCode(error) !== '23505') return undefined;
  return String((error as { constraint?: unknown }).constraint);
}

/** The error that a caller receives: a refusal as it is, Unavailable if retrying may help, undefined for a fault. */
export function refusalIn(error: unknown): Refused | undefined {
  if (error instanceof Refused) return error;
  // A collision gets here after the last attempt.
  const code = errorCode(error);
  const isUnavailable =
    isCollision(error) ||
    isNotLetIn(error) ||
    unavailableCodes.test(code) ||
    unreachableCodes.test(code) ||
    (error instanceof Error && unavailableTexts.test(error.message));
  return isUnavailable ? unavailable({ retryAfter: 1, cause: error }) : undefined;
}
