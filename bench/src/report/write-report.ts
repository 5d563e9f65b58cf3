import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Measurement } from '../measure.ts';
import { ratiosOf } from '../ratios.ts';
import type { Shape } from '../shape.ts';
import { chartOf } from './chart.ts';
import { figureTable, ratioTable } from './tables.ts';

/** Prints the ratios, and replaces those of the same shape in docs/performance.md, with their chart. */
export function writeReport(
  docs: string,
  measurements: readonly Measurement[],
  { shape, conditions }: { readonly shape: Shape; readonly conditions: string },
  say: (line: string) => void,
): void {
  const ratios = ratiosOf(measurements);
  const chart = `performance-${shape}.svg`;
  if (ratios.length > 0) writeFileSync(join(docs, chart), chartOf(ratios, conditions));
  const section = [
    `Measured ${conditions}.`,
    ...(ratios.length > 0 ? [`![Throughput beside each peer](${chart})`, ratioTable(ratios)] : []),
    'Medians of the rounds; CPU in milliseconds per request:',
    figureTable(measurements),
    ...failuresOf(measurements),
  ].join('\n\n');
  const file = join(docs, 'performance.md');
  writeFileSync(file, withSection(readFileSync(file, 'utf8'), shape, section));
  say(`\n${section}\n\nWritten to ${file}.`);
}

/** Figures with failed requests must not pass for others. */
function failuresOf(measurements: readonly Measurement[]): string[] {
  const failed = measurements.filter(({ errors }) => errors.length > 0);
  const lines = failed.map(
    (one) => `- ${one.target}, ${one.case}, ${one.connections} connections: ${one.errors[0]}`,
  );
  return lines.length > 0 ? [`Requests failed:\n\n${[...new Set(lines)].join('\n')}`] : [];
}

export function withSection(document: string, name: Shape | 'growth' | 'profile', section: string): string {
  const [begin, end] = [`<!-- bench ${name}: begin -->`, `<!-- bench ${name}: end -->`];
  const [first, last] = [document.indexOf(begin), document.indexOf(end)];
  if (first < 0 || last < first)
    throw new Error(`docs/performance.md has lost the comment "${begin}" or "${end}".`);
  return `${document.slice(0, first + begin.length)}\n\n${section}\n\n${document.slice(last)}`;
}
