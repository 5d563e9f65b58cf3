import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

export type Match = 'email' | 'phone' | 'both';

export interface Reachable {
  readonly email?: string | null | undefined;
  readonly mobile_phone?: string | null | undefined;
}

/** What two records of one person have in common, such as `email:anna@example.com`; the e-mail address first. */
export interface Keys {
  readonly email: string | undefined;
  readonly phone: string | undefined;
}

/** Numbers of homes and offices are not compared: people share them. */
export function keysOf({ email, mobile_phone }: Reachable, match: Match): Keys {
  return {
    email: email && match !== 'phone' ? `email:${email.toLowerCase()}` : undefined,
    phone: mobile_phone && match !== 'email' ? `phone:${comparable(mobile_phone)}` : undefined,
  };
}

export const keyList = ({ email, phone }: Keys): string[] =>
  [email, phone].filter((key) => key !== undefined);

/** As contacts compare numbers: one without a country code is read as one of North America. */
function comparable(phone: string): string {
  const number = parsePhoneNumberFromString(phone, 'US');
  return number?.isValid() ? number.number : phone;
}
