import { errorCode, Refused, unavailable } from '@crm/contract';
import { isDatabaseUnavailable } from '@crm/data';

/** Codes of serialization failures and deadlocks, after which the transaction can be retried. */
const collisions = new Set(['40001', '40P01']);

/** Codes for a host that is currently unreachable, or whose name cannot currently be resolved. */
const unreachableCodes =
  /^(ECONN(REFUSED|RESET|ABORTED)|E(HOST|NET)(UNREACH|DOWN)|EPIPE|ETIMEDOUT|EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN)$/;
const unavailableTexts =
  /timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|Client has encountered a connection error/;

/** Codes for a password or role that the server rejects. */
const notLetIn = /^28(000|P01)$/;

/**
 * Whether the server rejects the password or the role. While a password is being replaced this is temporary, so callers may
 * retry.
 */
export const isNotLetIn = (error: unknown): boolean => notLetIn.test(errorCode(error));

/** The code of a transaction that PostgreSQL has ended because it lasted too long. */
const tooLong = '25P04';
/** The code of a transaction that PostgreSQL has ended because it has waited too long for this process. */
const tooIdle = '25P03';
/** The code of a statement that PostgreSQL has ended because it lasted too long. */
const stopped = '57014';

/** Whether something is true of an error or of one of its causes. */
const isOrFollows = (error: unknown, is: (error: unknown) => boolean): boolean =>
  is(error) || (error instanceof Error && isOrFollows(error.cause, is));

/** Whether an error, or one of its causes, is that a transaction lasted too long, be it because this process was busy. */
export const isTooLong = (error: unknown): boolean =>
  isOrFollows(error, (one) => [tooLong, tooIdle].includes(errorCode(one)));

/** Whether an error, or one of its causes, is that a statement lasted too long. */
export const isStopped = (error: unknown): boolean => isOrFollows(error, (one) => errorCode(one) === stopped);

/** Whether an error, or one of its causes, is that something was unavailable. */
export const isUnavailable = (error: unknown): boolean =>
  isOrFollows(error, (one) => refusalIn(one)?.name === 'Unavailable');

export function isCollision(error: unknown): boolean {
  return collisions.has(errorCode(error));
}

/** Whether an error is about the data of a statement and would therefore recur. */
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
  // A collision is still an error here only after the last attempt.
  const code = errorCode(error);
  const isTemporary =
    isCollision(error) ||
    isDatabaseUnavailable(error) ||
    code === tooLong ||
    code === stopped ||
    unreachableCodes.test(code) ||
    (error instanceof Error && unavailableTexts.test(error.message));
  return isTemporary ? unavailable({ retryAfter: 1, cause: error }) : undefined;
}
