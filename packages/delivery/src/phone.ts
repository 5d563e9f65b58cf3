import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** A phone number in E.164, such as +16045554572, or undefined for what is none. Without a country code it is read as one of North America. */
export function toE164(text: string): string | undefined {
  const number = parsePhoneNumberFromString(text, 'US');
  // An extension cannot be dialled by a provider that is given a number alone.
  return number?.isValid() && !number.ext ? number.number : undefined;
}
