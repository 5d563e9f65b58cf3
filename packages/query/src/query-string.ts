import { invalid } from '@crm/contract';
import qs from 'qs';

/** The longest query a client may send, in characters; longer ones are refused before they are parsed. */
export const longestQuery = 32_768;

const bounds = {
  depth: 6,
  strictDepth: true,
  // A list of 1,000 ids is a fair question; more than that is not.
  parameterLimit: 1200,
  arrayLimit: 1200,
  throwOnLimitExceeded: true,
  // Without this a name such as `hasOwnProperty` is dropped silently, and `__proto__` must never be a key.
  plainObjects: true,
} as const;

/**
 * Reads `rank[$gt]=2&$sort[rank]=-1&tag=a&tag=b` into nested values, every leaf a text.
 * Throws a BadRequest for what is too deep, too long or not well-formed, and nothing else, whatever it is given.
 */
export function readQueryString(text: string): Record<string, unknown> {
  if (text === '') return {};
  let plain: string;
  try {
    plain = decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalid({
      message: 'The query string is not well-formed: a percent sign must start an escape such as %25.',
    });
  }
  // The parser drops it without a word, and a filter would silently not be applied.
  if (/(^|[&[])__proto__([\][=&]|$)/.test(plain)) throw invalid({ message: 'Unknown field "__proto__".' });
  try {
    return { ...qs.parse(text, bounds) };
  } catch {
    throw invalid({ message: 'The query string is nested too deep or has too many parameters.' });
  }
}
