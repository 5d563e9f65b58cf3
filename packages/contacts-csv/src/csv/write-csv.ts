import { type Options, stringify } from 'csv-stringify';
import { stringify as stringifyNow } from 'csv-stringify/sync';

/** Readers trim unquoted cells, and some of them end a row at a lone CR. */
const options: Options = {
  quoted_match: /[\r\n]|^\s|\s$/,
};

/** At the start of a file, because Excel would otherwise not read it as UTF-8. */
export const byteOrderMark = '\ufeff';

/** A stream that turns rows into a file of CSV. Its cells must be protected, see `protectCell`. */
export const csvWriter = () => stringify({ ...options, bom: true });

export function csvText(rows: readonly (readonly string[])[], delimiter = ','): string {
  return stringifyNow([...rows], { ...options, delimiter });
}
