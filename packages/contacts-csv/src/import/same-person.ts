import { comparablePhone } from '../values/e164.ts';

export type Match = 'email' | 'phone' | 'both';

export interface Reachable {
  readonly email?: string | null | undefined;
  readonly mobile_phone?: string | null | undefined;
}

/** Keys that two records of the same person have in common, such as `email:anna@example.com`. */
export interface Keys {
  readonly email: string | undefined;
  readonly phone: string | undefined;
}

/** Home and office numbers are not compared, because people share them. */
export function keysOf({ email, mobile_phone }: Reachable, match: Match): Keys {
  return {
    email: email && match !== 'phone' ? `email:${email.toLowerCase()}` : undefined,
    phone: mobile_phone && match !== 'email' ? `phone:${comparablePhone(mobile_phone)}` : undefined,
  };
}

/** Whether no record of the first list shares a key with one of the second. */
export function haveNobodyInCommon(
  some: readonly Reachable[],
  others: readonly Reachable[],
  match: Match,
): boolean {
  const keys = new Set(others.flatMap((one) => keyList(keysOf(one, match))));
  return !some.some((one) => keyList(keysOf(one, match)).some((key) => keys.has(key)));
}

export const keyList = ({ email, phone }: Keys): string[] =>
  [email, phone].filter((key) => key !== undefined);
