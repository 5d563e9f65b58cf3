import { type Metric, metricTable } from '../src/metric-table.ts';

const plain = (name: string) => name.replaceAll('.', '_');

/** A metric as Prometheus stores it: its name, the names of its series and of its labels. */
export interface Published extends Metric {
  readonly name: string;
  readonly series: readonly string[];
}

/** All metrics, as Prometheus stores them. */
export const published: readonly Published[] = Object.entries(metricTable).map(([name, metric]) => {
  const { kind, labels } = metric as Metric;
  const whole = `${plain(name)}${kind === 'counter' || kind === 'observed total' ? '_total' : ''}`;
  const series = kind === 'histogram' ? [`${whole}_bucket`, `${whole}_count`, `${whole}_sum`] : [whole];
  return { ...metric, name: whole, series, labels: labels.map(plain) };
});

/** The labels of each series in a response of `/metrics`, by the name of the series. */
export function seriesIn(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const line of text.split('\n')) {
    const [, name, labels = ''] = /^(\w+)(?:\{(.*)\})? [-+\d]/.exec(line) ?? [];
    if (name === undefined) continue;
    const known = found.get(name) ?? new Set();
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label);
    found.set(name, known);
  }
  return found;
}
