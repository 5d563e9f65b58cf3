import { type Options, stringify } from 'csv-stringify';
import { stringify as stringifyNow } from 'csv-stringify/sync';
import { protectCell } from './cells.ts';

/** Readers trim what is not quoted, and a lone CR ends a row for some of them. */
const form: Options = {
  quoted_match: /[\r\n]|^\s|\s$/,
  cast: { string: protectCell },
};

/** Turns rows into CSV on their way. */
export const csvWriter = () => stringify(form);

export function csvText(rows: readonly (readonly string[])[]): string {
  return stringifyNow([...rows], form);
}
