import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** A phone number in E.164, such as +16045554572; undefined if it is invalid. Without a country code it is read as North American. */
export function toE164(text: string): string | undefined {
  const number = parsePhoneNumberFromString(text, 'US');
  // A provider cannot dial an extension.
  return number?.isValid() && !number.ext ? number.number : undefined;
}

/** The extension of a phone number, such as `12` of `604 555 4572 x12`; undefined without one. */
export function extensionOf(text: string | null | undefined): string | undefined {
  // Most numbers have only these characters, and reading one takes a tenth of a millisecond.
  if (!text || /^[\d\s()+.\-/]*$/.test(text)) return undefined;
  return parsePhoneNumberFromString(text, 'US')?.ext;
}

/** Why a number in E.164 may not be texted or called, if it belongs to none of the allowed countries (ISO codes). */
export function countryError(number: string, allowed: readonly string[]): string | undefined {
  const country = parsePhoneNumberFromString(number)?.country;
  if (country === undefined) return 'The number belongs to no country, such as that of a satellite phone.';
  if (allowed.includes(country)) return undefined;
  const name = new Intl.DisplayNames('en', { type: 'region' }).of(country);
  return `Numbers of ${name} (${country}) are not allowed; the operator lists the allowed countries in ALLOWED_COUNTRIES.`;
}
