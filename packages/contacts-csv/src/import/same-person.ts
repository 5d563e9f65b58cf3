import { comparablePhone, toE164 } from '../values/e164.ts';

export type Match = 'email' | 'phone' | 'both';

export interface Reachable {
  readonly email?: string | null | undefined;
  readonly mobile_phone?: string | null | undefined;
}

/** Keys that two records of the same person have in common, such as `email:anna@example.com`. */
export interface Keys {
  readonly email: Key;
  readonly phone: Key;
}

/** Null for a text such as "n/a" that different people have; undefined if there is none. */
type Key = string | null | undefined;

/** Home and office numbers are not compared, because people share them. */
export function keysOf({ email, mobile_phone }: Reachable, match: Match): Keys {
  return {
    email: email && match !== 'phone' ? emailKey(email) : undefined,
    phone: mobile_phone && match !== 'email' ? phoneKey(mobile_phone) : undefined,
  };
}

const emailKey = (email: string) => (/\S@\S/.test(email) ? `email:${email.toLowerCase()}` : null);
const phoneKey = (phone: string) => (toE164(phone) === null ? null : `phone:${comparablePhone(phone)}`);

/** Whether no record of the first list shares a key with one of the second. */
export function haveNobodyInCommon(
  some: readonly Reachable[],
  others: readonly Reachable[],
  match: Match,
): boolean {
  const keys = new Set(others.flatMap((one) => keyList(keysOf(one, match))));
  return !some.some((one) => keyList(keysOf(one, match)).some((key) => keys.has(key)));
}

export const keyList = ({ email, phone }: Keys): string[] => [email, phone].filter((key) => key != null);
