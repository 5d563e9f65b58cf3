import { invalid } from '@crm/contract';
import qs from 'qs';

/** The longest query that a client may send, in characters; longer ones are refused before they are parsed. */
export const maxQueryLength = 32_768;

const bounds = {
  depth: 6,
  strictDepth: true,
  // Enough for a list of 1,000 ids.
  parameterLimit: 1200,
  arrayLimit: 1200,
  throwOnLimitExceeded: true,
  // Without this a name such as `hasOwnProperty` is dropped silently, and `__proto__` must never be a key.
  plainObjects: true,
} as const;

/**
 * Reads `rank[$gt]=2&$sort[rank]=-1&tag=a&tag=b` into nested values, every leaf a string.
 * Throws BadRequest for a query that is too deep, too long or malformed, and nothing else for any input.
 */
export function readQueryString(text: string): Record<string, unknown> {
  if (text === '') return {};
  let plain: string;
  try {
    plain = decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalid({
      message: 'The query string is malformed: a percent sign must start an escape such as %25.',
    });
  }
  // The parser drops it silently, and a filter would not be applied.
  if (/(^|[&[])__proto__([\][=&]|$)/.test(plain)) throw invalid({ message: 'Unknown field "__proto__".' });
  try {
    return { ...qs.parse(text, bounds) };
  } catch {
    throw invalid({ message: 'The query string is nested too deeply or has too many parameters.' });
  }
}
