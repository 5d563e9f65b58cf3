import { toE164 } from './e164.ts';
import { isShortened, shortened } from './spoiled.ts';
import { asItIs, type Checked, converted } from './value.ts';

/** How spreadsheets write a phone number that they read as a number: `6045554572.0`. */
const asNumber = /^(\d{7,15})[.,]0+$/;

/** Digits with the usual separators, and an extension. */
const written = /^[+\d\s().\-/]+(?:(?:ext\.?|extension|x|#)[\s.:]*\d{1,7})?$/i;

export function checkPhone(text: string): Checked {
  if (isShortened(text)) return { error: shortened };
  const [, digits] = asNumber.exec(text) ?? [];
  if (digits !== undefined) return converted(text, digits);
  if (toE164(text) !== null) return { value: text };
  const count = text.replace(/\D/g, '').length;
  if (!written.test(text) || count < 7 || count > 20)
    return { error: `must be a phone number such as +1 604 555 4572. ${asItIs}` };
  return {
    value: text,
    warning: `"${text}" is not a complete number, so nobody can be texted or called at it`,
  };
}
