import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/**
 * Numbers that were read lately. Reading one takes a tenth of a millisecond, and an import reads each several times: to check, to
 * compare and to store it.
 */
const latelyRead = new Map<string, string | null>();
const mostRead = 2_000;

/** A phone number in E.164, such as +16045554572, or null if it is invalid. Without a country code it is North American. */
export function toE164(text: string | null | undefined): string | null {
  if (!text) return null;
  const known = latelyRead.get(text);
  if (known !== undefined) return known;
  const number = parsePhoneNumberFromString(text, 'US');
  const read = number?.isValid() ? number.number : null;
  if (latelyRead.size >= mostRead) latelyRead.clear();
  latelyRead.set(text, read);
  return read;
}
