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
export function keysOf({ email, mobile_phone }: Reachable): Keys {
  return {
    email: email ? emailKey(email) : undefined,
    phone: mobile_phone ? phoneKey(mobile_phone) : undefined,
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
  const keysOfOne = (one: Reachable) => keyList(keysOf(one), match);
  const keys = new Set(others.flatMap(keysOfOne));
  return !some.some((one) => keysOfOne(one).some((key) => keys.has(key)));
}

/** The keys by which contacts are looked up. */
export const keyList = ({ email, phone }: Keys, match: Match): string[] =>
  [match === 'phone' ? null : email, match === 'email' ? null : phone].filter((key) => key != null);
