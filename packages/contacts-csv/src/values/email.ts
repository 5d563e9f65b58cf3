import { asItIs, type Checked, converted } from './value.ts';

const address = /^[^\s@<>"(),;:]+@[^\s@<>"(),;:.]+(?:\.[^\s@<>"(),;:.]+)+$/;

export const isAddress = (text: string): boolean => address.test(text);

/** All addresses in a text that may contain more than one, such as `Anna <anna@example.com>` or `a@x.example; b@x.example`. */
export const addressesIn = (text: string): string[] =>
  text.split(/[\s<>"(),;:]+/).flatMap((part) => {
    const unquoted = part.replace(/^'(.*)'$/, '$1');
    return isAddress(unquoted) ? [unquoted] : [];
  });

/** Address notations of mail programs: `Anna <anna@example.com>`, `mailto:anna@example.com`, `'anna@example.com'`. */
const wrapped = /^(?:.*<([^<>]+)>|mailto:(.+)|'([^']+)')$/i;

export function checkEmail(text: string): Checked {
  if (address.test(text) && !wrapped.test(text)) return { value: text };
  const [, ...found] = wrapped.exec(text) ?? [];
  const inside = found.find((one) => one !== undefined)?.trim();
  if (inside !== undefined && address.test(inside)) return converted(text, inside);
  return { error: `must be one e-mail address such as anna@example.com. ${asItIs}` };
}
