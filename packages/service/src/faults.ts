import { Refused, unavailable } from '@crm/contract';

/** Two transactions met; run again from its start, one of them succeeds. */
const collisions = new Set(['40001', '40P01']);

/** The database is away, restarting, full up, or took longer than we let it. */
const absences = /^(08...|53...|57P0.|57014|55P03|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND)$/;
const absenceTexts =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error/;

export function isCollision(error: unknown): boolean {
  return collisions.has(codeOf(error));
}

/** The constraint that a write ran against, when an error is about a unique one. */
export function violatedUnique(error: unknown): string | undefined {
  if (codeOf(error) !== '23505') return undefined;
  return String((error as { constraint?: unknown }).constraint);
}

/** What a caller may be told of an error: a refusal as it is, «not now» where another time may do, else nothing. */
export function refusalIn(error: unknown): Refused | undefined {
  if (error instanceof Refused) return error;
  // A collision gets here when it has outlasted its attempts.
  const away =
    isCollision(error) ||
    absences.test(codeOf(error)) ||
    (error instanceof Error && absenceTexts.test(error.message));
  return away ? unavailable({ retryAfter: 1 }) : undefined;
}

function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null || !('code' in error)) return '';
  return String(error.code);
}
