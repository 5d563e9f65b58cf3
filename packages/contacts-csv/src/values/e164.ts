import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/**
 * A cache of recent numbers. Parsing one takes a tenth of a millisecond, and an import needs each several times: to check,
 * compare and store it.
 */
const latelyRead = new Map<string, string | null>();
const mostRead = 2_000;

/**
 * A phone number in E.164, such as +16045554572, or null if it is invalid. A number without a country code is North American. An
 * extension is omitted, because callers are found by the main number of the office.
 */
export function toE164(text: string | null | undefined): string | null {
  if (!text) return null;
  const known = latelyRead.get(text);
  if (known !== undefined) return known;
  const read = readNorthAmerican(text) ?? readAny(text);
  if (latelyRead.size >= mostRead) latelyRead.clear();
  latelyRead.set(text, read);
  return read;
}

/**
 * A phone number in a form for comparisons: in E.164 with its extension as in RFC 3966, such as +16045554572;ext=12. An invalid
 * one is returned as it is.
 */
export function comparablePhone(text: string): string {
  const number = toE164(text);
  if (number === null) return text;
  const extension = isPlain.test(text) ? undefined : parsePhoneNumberFromString(text, 'US')?.ext;
  return extension === undefined ? number : `${number};ext=${extension}`;
}

/** Without the words or characters that start an extension. */
const isPlain = /^[\d\s()+.\-/]*$/;

function readAny(text: string): string | null {
  const number = parsePhoneNumberFromString(text, 'US');
  return number?.isValid() ? number.number : null;
}

const northAmerican = /^(?:\+?1[ .-]?)?(?:\(([2-9]\d\d)\) ?|([2-9]\d\d)[ .-]?)([2-9]\d\d)[ .-]?(\d{4})$/;

/** Recently read area codes and exchanges that exist. Whether they do depends on no later digit. */
const exchanges = new Set<string>();
const mostExchanges = 20_000;

/** A North American number with a cached exchange; undefined for any other text. */
function readNorthAmerican(text: string): string | undefined {
  const [, inParentheses, area = inParentheses, exchange, line] = northAmerican.exec(text) ?? [];
  if (line === undefined) return undefined;
  const known = `${area}${exchange}`;
  const number = `+1${known}${line}`;
  if (exchanges.has(known)) return number;
  if (readAny(number) !== number) return undefined;
  if (exchanges.size >= mostExchanges) exchanges.clear();
  exchanges.add(known);
  return number;
}
