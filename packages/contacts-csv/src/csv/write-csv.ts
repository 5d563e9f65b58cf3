import { type Options, stringify } from 'csv-stringify';
import { stringify as stringifyNow } from 'csv-stringify/sync';

/** Readers trim unquoted cells, and some of them end a row at a lone CR. */
const options: Options = {
  quoted_match: /[\r\n]|^\s|\s$/,
};

/** A stream that turns rows into CSV. Its cells must be protected, see `protectCell`. */
export const csvWriter = () => stringify(options);

export function csvText(rows: readonly (readonly string[])[], delimiter = ','): string {
  return stringifyNow([...rows], { ...options, delimiter });
}
