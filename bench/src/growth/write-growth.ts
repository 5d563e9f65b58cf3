import { readFileSync, writeFileSync } from 'node:fs';
import { tableOf } from '../report/tables.ts';
import { withSection } from '../report/write-report.ts';
import type { Row, Times } from './measure-growth.ts';

/** Replaces the table of growth in the document: a row for each viewer and request, and a column for each number of contacts. */
export function writeGrowth(
  file: string,
  sizes: readonly number[],
  measured: readonly Row[],
  ...conditions: readonly string[]
): void {
  const rows = measured.map(({ viewer, request, times }) => [
    viewer,
    request,
    ...times.map(textOf),
    `${growthOf('p50', times)}, ${growthOf('p99', times)}`,
  ]);
  const counts = sizes.map((contacts) => contacts.toLocaleString('en'));
  const table = tableOf(['Who', 'Request', ...counts, 'Last by first'], rows);
  const section = `Measured ${conditions.join('; ')}. Milliseconds, p50 and p99.\n\n${table}`;
  writeFileSync(file, withSection(readFileSync(file, 'utf8'), 'growth', section));
}

const textOf = ({ p50, p99, refused }: Times): string =>
  `${p50.toFixed(1)}, ${p99.toFixed(1)}${refused > 0 ? `, ${refused} refused` : ''}`;

function growthOf(figure: 'p50' | 'p99', times: readonly Times[]): string {
  const [first, last] = [times.at(0), times.at(-1)];
  return first && last ? (last[figure] / first[figure]).toFixed(2) : '';
}
