import { type Options, stringify } from 'csv-stringify';
import { stringify as stringifyNow } from 'csv-stringify/sync';
import { protectCell } from './cells.ts';

/** Readers trim cells that are not quoted, and a lone CR ends a row for some of them. */
const options: Options = {
  quoted_match: /[\r\n]|^\s|\s$/,
  cast: { string: protectCell },
};

/** A stream that turns rows into CSV. */
export const csvWriter = () => stringify(options);

export function csvText(rows: readonly (readonly string[])[]): string {
  return stringifyNow([...rows], options);
}
