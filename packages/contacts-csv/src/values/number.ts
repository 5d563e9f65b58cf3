import { isShortened, shortened } from './spoiled.ts';
import { asItIs, type Checked } from './value.ts';

const numeric = /^[-+(]*\s*[$€£]?\s*\d[\d\s.,']*\s*[$€£%)]*$/;

/** A number or an amount, with the separators and signs that people write. */
export function checkNumber(text: string): Checked {
  if (isShortened(text)) return { error: shortened };
  return numeric.test(text) ? { value: text } : { error: `must be a number such as 1250.50. ${asItIs}` };
}

/** A postal code, which may contain letters but never an exponent. */
export function checkZip(text: string): Checked {
  if (isShortened(text)) return { error: shortened };
  const lostZero = `"${text}" may have lost a zero at its start in a spreadsheet`;
  return /^\d{3,4}$/.test(text) ? { value: text, warning: lostZero } : { value: text };
}
