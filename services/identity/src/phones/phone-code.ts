import { createHmac, timingSafeEqual } from 'node:crypto';

export const codeMinutes = 10;
export const maxFailedAttempts = 5;

/** The limits of codes, which count those to the number and those for the user together. */
const limits = [
  { withinSeconds: 600, count: 3 },
  { withinSeconds: 86_400, count: 10 },
] as const;

/**
 * The six digits for a row. They are derived with a secret that is not in the database: a stored hash of six digits
 * could be reversed by trying all of them.
 */
export function codeOf(secret: string, { key }: { readonly key: string }): string {
  const digest = createHmac('sha256', secret).update(`phone code ${key}`).digest();
  return String(digest.readUIntBE(0, 6) % 1_000_000).padStart(6, '0');
}

/** Compares codes in constant time. People type spaces and hyphens between digits. */
export function isCode(given: string, code: string): boolean {
  const found = Buffer.from(given.replace(/[\s-]/g, ''));
  const wanted = Buffer.from(code);
  return found.length === wanted.length && timingSafeEqual(found, wanted);
}

/** The seconds until another code may be sent, 0 if it may be sent now, given the ages of the previous codes in seconds. */
export function secondsToWait(ages: readonly number[]): number {
  const newestFirst = ages.toSorted((one, other) => one - other);
  const waits = limits.map(
    ({ withinSeconds, count }) => withinSeconds - (newestFirst[count - 1] ?? Infinity),
  );
  return Math.ceil(Math.max(0, ...waits));
}
