import type { Measurement } from '../measure.ts';
import { type Group, groupsOf, type Ratio, type Spread, spreadOf } from '../ratios.ts';

export function ratioTable(ratios: readonly Ratio[]): string {
  const head = [
    'Case',
    'Connections',
    'Beside',
    'Throughput',
    'CPU of the server',
    'CPU of PostgreSQL',
    'p50',
    'p99',
  ];
  const rows = ratios.map((ratio) => [
    ratio.case,
    String(ratio.connections),
    ratio.peer,
    ...[ratio.throughput, ratio.serverCpu, ratio.postgresCpu, ratio.p50, ratio.p99].map(spreadText),
  ]);
  return tableOf(head, rows);
}

export function figureTable(measurements: readonly Measurement[]): string {
  const head = [
    'Case',
    'Connections',
    'Of',
    'Requests/s',
    'Server ms',
    'PostgreSQL ms',
    'p50 ms',
    'p99 ms',
    'MiB',
  ];
  const rows = groupsOf(measurements).map((group) => [
    group.case,
    String(group.connections),
    group.target,
    medianOf(group, 'perSecond', 0),
    medianOf(group, 'serverCpu', 2),
    medianOf(group, 'postgresCpu', 2),
    medianOf(group, 'p50', 1),
    medianOf(group, 'p99', 1),
    medianOf(group, 'memoryMiB', 0),
  ]);
  return tableOf(head, rows);
}

type Figure = 'perSecond' | 'serverCpu' | 'postgresCpu' | 'p50' | 'p99' | 'memoryMiB';

const medianOf = ({ rounds }: Group, figure: Figure, digits: number): string =>
  spreadOf(rounds.map((round) => round[figure])).median.toFixed(digits);

const spreadText = ({ median, lowest, highest }: Spread): string =>
  Number.isNaN(median) ? '' : `${median.toFixed(2)} (${lowest.toFixed(2)} to ${highest.toFixed(2)})`;

/** A table in Markdown. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lineOf = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [lineOf(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(lineOf)].join('\n');
}
