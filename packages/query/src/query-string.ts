import { invalidField, malformedBody, malformedUrl, requestLimits } from '@crm/contract';
import qs from 'qs';

const bounds = {
  depth: 6,
  strictDepth: true,
  parameterLimit: requestLimits.parameters,
  arrayLimit: requestLimits.parameters,
  throwOnLimitExceeded: true,
  // Otherwise a name such as `hasOwnProperty` is dropped silently; and `__proto__` must never become a key.
  plainObjects: true,
} as const;

/**
 * Reads `rank[$gt]=2&$sort[rank]=-1&tag=a&tag=b` into nested values, with a string at every leaf. A percent sign that starts no
 * escape sequence is kept, because clients send `name[$like]=%Drip%` unescaped. Throws BadRequest for a query that is too deep or
 * too long, and nothing else for any input.
 */
export const readQueryString = (sent: string) =>
  parse(emptyFirst(sent), () =>
    malformedUrl({ message: 'The query string is nested too deeply or has too many parameters.' }),
  );

/**
 * Reads a form like a query string, but refuses escapes that are not UTF-8: in a form all percent signs are escaped, so these are
 * characters in another encoding. Throws BadRequest and nothing else for any input.
 */
export function readFormText(sent: string) {
  const unread = sent.replaceAll(escapes, (sequence) => (isUtf8(sequence) ? ' ' : sequence));
  if (/%[\da-f]{2}/i.test(unread)) throw malformedBody({ message: 'The body is not valid UTF-8.' });
  return parse(sent, () =>
    malformedBody({ message: 'The form is nested too deeply or has too many fields.' }),
  );
}

/** The error for a form that is JSON; undefined for any other. Read as a form, it would be a single unknown parameter. */
export const errorOfJsonAsForm = (text: string): string | undefined =>
  /^\s*([{[]|%7b|%5b)/i.test(text)
    ? 'The body looks like JSON. Send it with the header Content-Type: application/json.'
    : undefined;

function parse(sent: string, tooLarge: () => Error): Record<string, unknown> {
  if (sent === '') return {};
  const text = sent.replaceAll(escapes, (sequence) =>
    isUtf8(sequence) ? sequence : sequence.replaceAll('%', '%25'),
  );
  const plain = decodeURIComponent(text.replaceAll('+', ' '));
  // The parser drops it silently, so a filter would not be applied.
  if (/(^|[&[])__proto__([\][=&]|$)/.test(plain))
    throw invalidField('__proto__', { message: 'Unknown field "__proto__".', reason: 'unknown_name' });
  try {
    return { ...qs.parse(text, bounds) };
  } catch {
    throw tooLarge();
  }
}

/** The parser drops an empty value after an operator on the same field, so a filter would not be applied. */
function emptyFirst(text: string): string {
  const isEmpty = (parameter: string) => /^[^=]*=?$/.test(parameter);
  const parameters = text.split('&');
  return [...parameters.filter(isEmpty), ...parameters.filter((each) => !isEmpty(each))].join('&');
}

/** The escapes of one UTF-8 character, by its first byte, or a percent sign that starts none. */
const escapes =
  /%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}|%/gi;

function isUtf8(sequence: string): boolean {
  try {
    decodeURIComponent(sequence);
    return true;
  } catch {
    return false;
  }
}
