import { readFileSync, writeFileSync } from 'node:fs';
import { tableOf } from '../report/tables.ts';
import { withSection } from '../report/write-report.ts';
import type { Times } from './measure-growth.ts';

/** Replaces the table of growth in the document: a row for each viewer and request, and a column for each number of contacts. */
export function writeGrowth(
  file: string,
  measured: readonly (readonly [contacts: number, times: readonly Times[]])[],
  ...conditions: readonly string[]
): void {
  const [, first = []] = measured.at(0) ?? [];
  const [, last = []] = measured.at(-1) ?? [];
  const sizes = measured.map(([contacts]) => contacts.toLocaleString('en'));
  const rows = first.map(({ viewer, request }, index) => [
    viewer,
    request,
    ...measured.map(([, times]) => textOf(times[index])),
    `${growthOf('p50', first[index], last[index])}, ${growthOf('p99', first[index], last[index])}`,
  ]);
  const table = tableOf(['Who', 'Request', ...sizes, 'Last by first'], rows);
  const section = `Measured ${conditions.join('; ')}. Milliseconds, p50 and p99.\n\n${table}`;
  writeFileSync(file, withSection(readFileSync(file, 'utf8'), 'growth', section));
}

const textOf = (times: Times | undefined): string =>
  times
    ? `${times.p50.toFixed(1)}, ${times.p99.toFixed(1)}${times.refused > 0 ? `, ${times.refused} refused` : ''}`
    : '';

const growthOf = (figure: 'p50' | 'p99', first: Times | undefined, last: Times | undefined): string =>
  first && last ? (last[figure] / first[figure]).toFixed(2) : '';
