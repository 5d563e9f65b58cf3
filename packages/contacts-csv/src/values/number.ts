import { isShortened, shortened } from './spoiled.ts';
import { asItIs, type Checked, converted } from './value.ts';

const numeric = /^[-+(]*\s*[$€£]?\s*\(?\d[\d\s.,']*\s*[$€£%)]*$/;
/** How spreadsheets write an amount of zero. */
const dash = /^[$€£]\s*-$/;

/** As filters read it: a decimal point, and commas only between groups of three digits. */
const comparable = /^[-+]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/;
/** Digits as people write them where the comma is decimal, or with apostrophes between groups. */
const dotsBetween = /^\d{1,3}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})$/;
const unit = /[$€£%\s]/g;
const signs = /[-+$€£%\s]/g;
const isGroup = /^[1-9]\d{0,2}\.\d{3}$/;

/** A number or an amount, with the separators and signs that people write. */
export function checkNumber(text: string): Checked {
  if (isShortened(text)) return { error: shortened };
  if (dash.test(text)) return converted(text, '0');
  if (!numeric.test(text)) return { error: `must be a number such as 1250.50. ${asItIs}` };
  if (isComparable(text))
    return isGroup.test(text.replace(signs, ''))
      ? {
          value: text,
          warning: `"${text}" has a decimal point; write it without if it is ${text.replace('.', '')}`,
        }
      : { value: text };
  const value = text
    .replace(/^[-+]*([$€£]?)\s*\(\s*/, '-$1')
    .replace(/\)/, '')
    .replace(/\d[\d\s.,']*/, plainDigits)
    .trim();
  return isComparable(value)
    ? converted(text, value)
    : { value: text, warning: `"${text}" is not a number that filters can compare; write it like 1250.50` };
}

const isComparable = (text: string): boolean => comparable.test(text.replace(unit, ''));

function plainDigits(digits: string): string {
  const joined = digits.replace(/['\s]/g, '');
  const pointed = dotsBetween.test(joined) ? joined.replaceAll('.', '') : joined;
  return /^\d+,\d+$/.test(pointed) && !comparable.test(pointed) ? pointed.replace(',', '.') : pointed;
}

/** A postal code, which may contain letters but never an exponent. */
export function checkZip(text: string): Checked {
  if (isShortened(text)) return { error: shortened };
  const lostZero = `"${text}" may have lost a zero at its start in a spreadsheet`;
  return /^\d{3,4}(?:-\d{4})?$/.test(text) ? { value: text, warning: lostZero } : { value: text };
}
