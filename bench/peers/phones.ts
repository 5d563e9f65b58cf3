import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

const phones = ['mobile_phone', 'home_phone', 'office_phone'] as const;

/** The columns by which numbers are compared, for those numbers that were sent. */
export function comparablePhones(draft: Readonly<Record<string, unknown>>): Record<string, string | null> {
  const sent = phones.filter((name) => draft[name] !== undefined);
  return Object.fromEntries(sent.map((name) => [`${name}_e164`, comparable(draft[name])]));
}

function comparable(sent: unknown): string | null {
  if (typeof sent !== 'string' || sent === '') return null;
  const number = parsePhoneNumberFromString(sent, 'US');
  return number?.isValid() ? number.number : null;
}
