import { type PeerName, peerNames } from '../options.ts';
import type { Ratio } from '../ratios.ts';

const colors: Readonly<Record<PeerName, string>> = {
  'fastify-pg': '#3b82c4',
  feathers: '#c98a1b',
  'nest-typeorm': '#b0457b',
};

const width = 760;
const left = 130;
const right = 20;
const top = 58;
const rowHeight = 16;
const groupGap = 12;

/** Throughput as multiples of each peer's: a dot for the median, a line from the lowest to the highest round. */
export function chartOf(ratios: readonly Ratio[], caption: string): string {
  const connections = Math.max(...ratios.map((ratio) => ratio.connections));
  const shown = ratios.filter((ratio) => ratio.connections === connections);
  const groups = [...Map.groupBy(shown, (ratio) => ratio.case)];
  const place = scaleOf(shown);
  let y = top;
  const parts = groups.map(([name, rows]) => {
    const label = text(left - 10, y + (rows.length * rowHeight) / 2 + 4, name, 'end');
    const dots = rows.map((ratio, index) => rowOf(ratio, place, y + index * rowHeight + rowHeight / 2));
    y += rows.length * rowHeight + groupGap;
    return [label, ...dots].join('\n');
  });
  const height = y + 40;
  const lines = ticksOf(shown).map((tick) => tickAt(tick, place(tick), y));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>Throughput of ours as a multiple of each peer's, ${escaped(caption)}</title>`,
    `<style>${style}</style>`,
    '<rect class="ground" width="100%" height="100%"/>',
    text(
      left,
      20,
      `Requests per second, ours ÷ peer, ${connections} ${connections === 1 ? 'connection' : 'connections'}`,
      'start',
    ),
    legendOf(shown),
    ...lines,
    ...parts,
    text(left, height - 10, caption, 'start', 'small'),
    '</svg>',
    '',
  ].join('\n');
}

const style = `
  .ground { fill: #ffffff } text { fill: #24292f; font: 12px system-ui, sans-serif } .small { font-size: 9px }
  .tick { stroke: #d0d7de } .equal { stroke: #24292f }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117 } text { fill: #e6edf3 } .tick { stroke: #30363d } .equal { stroke: #e6edf3 }
  }
`;

function limitsOf(ratios: readonly Ratio[]): readonly [number, number] {
  const ends = ratios.flatMap(({ throughput }) => [throughput.lowest, throughput.highest]);
  const finite = ends.filter((value) => Number.isFinite(value) && value > 0);
  return [Math.min(0.8, ...finite) * 0.95, Math.max(1.25, ...finite) * 1.05];
}

/** Logarithmic, because twice as fast and half as fast are equally far from equal. */
function scaleOf(ratios: readonly Ratio[]): (ratio: number) => number {
  const [lowest, highest] = limitsOf(ratios);
  const span = Math.log(highest / lowest);
  return (ratio) => left + ((width - left - right) * Math.log(ratio / lowest)) / span;
}

function ticksOf(ratios: readonly Ratio[]): number[] {
  const [lowest, highest] = limitsOf(ratios);
  return [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50].filter((tick) => tick >= lowest && tick <= highest);
}

function tickAt(tick: number, x: number, bottom: number): string {
  const name = tick === 1 ? 'equal' : 'tick';
  const line = `<line class="${name}" x1="${x.toFixed(1)}" x2="${x.toFixed(1)}" y1="${top - 8}" y2="${bottom}"/>`;
  return `${line}\n${text(x, bottom + 14, `${tick}×`, 'middle')}`;
}

function rowOf({ peer, throughput }: Ratio, place: (ratio: number) => number, y: number): string {
  const { median, lowest, highest } = throughput;
  if (Number.isNaN(median)) return '';
  const [from, to] = [place(lowest), place(highest)].map((x) => x.toFixed(1));
  return [
    `<line stroke="${colors[peer]}" stroke-width="2" x1="${from}" x2="${to}" y1="${y}" y2="${y}"/>`,
    `<circle fill="${colors[peer]}" cx="${place(median).toFixed(1)}" cy="${y}" r="5"><title>${peer} ${median.toFixed(2)}</title></circle>`,
  ].join('\n');
}

function legendOf(ratios: readonly Ratio[]): string {
  const named = peerNames.filter((name) => ratios.some(({ peer }) => peer === name));
  return named
    .map((name, index) => {
      const x = left + index * 120;
      return `<circle fill="${colors[name]}" cx="${x + 5}" cy="36" r="5"/>\n${text(x + 16, 40, name, 'start')}`;
    })
    .join('\n');
}

function text(x: number, y: number, content: string, anchor: string, name?: string): string {
  const extra = name === undefined ? '' : ` class="${name}"`;
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}"${extra}>${escaped(content)}</text>`;
}

const escaped = (content: string): string =>
  content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
