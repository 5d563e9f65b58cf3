import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** A phone number in E.164, such as +16045554572; undefined if it is invalid. Without a country code it is read as North American. */
export function toE164(text: string): string | undefined {
  const number = parsePhoneNumberFromString(text, 'US');
  // A provider cannot dial an extension.
  return number?.isValid() && !number.ext ? number.number : undefined;
}

/** Why a number in E.164 may not be texted or called, if it belongs to none of the allowed countries (ISO codes). */
export function countryError(number: string, allowed: readonly string[]): string | undefined {
  const country = parsePhoneNumberFromString(number)?.country;
  if (country === undefined) return 'The number belongs to no country, such as that of a satellite phone.';
  if (allowed.includes(country)) return undefined;
  const name = new Intl.DisplayNames('en', { type: 'region' }).of(country);
  return `Numbers of ${name} (${country}) are not allowed; the operator lists the allowed countries in ALLOWED_COUNTRIES.`;
}
