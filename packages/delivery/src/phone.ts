import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/**
 * A phone number in E.164, such as +16045554572; undefined if it is invalid. A number without a country code is read as North
 * American.
 */
export function toE164(text: string): string | undefined {
  const number = parsePhoneNumberFromString(text, 'US');
  // A provider cannot dial an extension.
  return number?.isValid() && !number.ext ? number.number : undefined;
}

/** The sender of a text: a number in E.164, or any other sender unchanged, such as a short code or a name. */
export const senderOf = (text: string): string => toE164(text) ?? text.trim();

/** The extension of a phone number, such as `12` of `604 555 4572 x12`; undefined without one. */
export function extensionOf(text: string | null | undefined): string | undefined {
  // Most numbers have only these characters, and parsing one takes a tenth of a millisecond.
  if (!text || /^[\d\s()+.\-/]*$/.test(text)) return undefined;
  return parsePhoneNumberFromString(text, 'US')?.ext;
}

/** The phones of a contact, as they were entered and in E.164, which an invalid number does not have. */
export interface ContactPhones {
  readonly mobile_phone: string | null;
  readonly mobile_phone_e164: string | null;
  readonly home_phone: string | null;
  readonly home_phone_e164: string | null;
  readonly office_phone: string | null;
  readonly office_phone_e164: string | null;
}

/** A number in E.164 that somebody calls, with its extension. */
export interface NumberToCall {
  readonly number: string;
  readonly extension: string | undefined;
  /** As it was entered. */
  readonly text: string;
}

/** The first number at which a contact can be called: mobile, home, then office. */
export function numberToCall(phones: ContactPhones): NumberToCall | undefined {
  for (const name of ['mobile_phone', 'home_phone', 'office_phone'] as const) {
    const [number, text] = [phones[`${name}_e164`], phones[name]];
    if (number) return { number, extension: extensionOf(text), text: text ?? number };
  }
  return undefined;
}

/** The country of a number in E.164, as an ISO code; undefined if it belongs to none, such as the number of a satellite phone. */
export const countryOf = (number: string): string | undefined => parsePhoneNumberFromString(number)?.country;

/** Types of numbers with extra fees for callers or senders: +1 900, and personal numbers such as +1 500 and +44 70. */
const dear: readonly (string | undefined)[] = ['PREMIUM_RATE', 'PERSONAL_NUMBER'];

/** Canadian numbers of satellite phones and of services that the caller pays for; libphonenumber classes them as VoIP. */
const satellite = /^\+1600/;

/** Why a number in E.164 may not be texted or called: extra fees, or a country that is not allowed (ISO codes). */
export function numberError(number: string, allowed: readonly string[]): string | undefined {
  const read = parsePhoneNumberFromString(number);
  const country = read?.country;
  if (country === undefined) return 'The number belongs to no country; it may be that of a satellite phone.';
  if (satellite.test(number) || dear.includes(read?.getType()))
    return 'Calls and texts to this number cost extra fees.';
  if (allowed.includes(country)) return undefined;
  const name = new Intl.DisplayNames('en', { type: 'region' }).of(country);
  return `Numbers of ${name} (${country}) are not allowed; the operator lists the allowed countries in ALLOWED_COUNTRIES.`;
}
