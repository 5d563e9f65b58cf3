import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/**
 * Numbers that were read lately. Reading one takes a tenth of a millisecond, and an import reads each several times: to check, to
 * compare and to store it.
 */
const latelyRead = new Map<string, string | null>();
const mostRead = 2_000;

/**
 * A phone number in E.164, such as +16045554572, or null if it is invalid. Without a country code it is North American. An
 * extension is left out: a caller is found by the number of the office.
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
 * A phone number as two are compared: in E.164, with its extension as RFC 3966 has it, such as +16045554572;ext=12. An
 * invalid one stays as it is.
 */
export function comparablePhone(text: string): string {
  const number = toE164(text);
  if (number === null) return text;
  const extension = isPlain.test(text) ? undefined : parsePhoneNumberFromString(text, 'US')?.ext;
  return extension === undefined ? number : `${number};ext=${extension}`;
}

/** Without what an extension begins with. */
const isPlain = /^[\d\s()+.\-/]*$/;

function readAny(text: string): string | null {
  const number = parsePhoneNumberFromString(text, 'US');
  return number?.isValid() ? number.number : null;
}

const northAmerican = /^(?:\+?1[ .-]?)?(?:\(([2-9]\d\d)\) ?|([2-9]\d\d)[ .-]?)([2-9]\d\d)[ .-]?(\d{4})$/;

/** The area codes with exchanges that were read lately and exist. Which ones do depends on nothing behind them. */
const exchanges = new Set<string>();
const mostExchanges = 20_000;

/** A North American number with an exchange that is known; undefined for any other text. */
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
