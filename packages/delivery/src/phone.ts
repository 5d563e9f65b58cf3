import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** A phone number in E.164, such as +16045554572; undefined if it is invalid. Without a country code it is read as North American. */
export function toE164(text: string): string | undefined {
  const number = parsePhoneNumberFromString(text, 'US');
  // A provider cannot dial an extension.
  return number?.isValid() && !number.ext ? number.number : undefined;
}
