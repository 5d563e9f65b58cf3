import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** A phone number in E.164, such as +16045554572, or null if it is invalid. Without a country code it is North American. */
export function toE164(text: string | null | undefined): string | null {
  if (!text) return null;
  const number = parsePhoneNumberFromString(text, 'US');
  return number?.isValid() ? number.number : null;
}

interface Phones {
  readonly mobile_phone?: string | null;
  readonly home_phone?: string | null;
  readonly office_phone?: string | null;
}

/** The numbers of a contact in E.164, the form in which they are compared. */
export function comparablePhones({ mobile_phone, home_phone, office_phone }: Phones) {
  return {
    ...(mobile_phone !== undefined && { mobile_phone_e164: toE164(mobile_phone) }),
    ...(home_phone !== undefined && { home_phone_e164: toE164(home_phone) }),
    ...(office_phone !== undefined && { office_phone_e164: toE164(office_phone) }),
  };
}
