import type { Span } from './receiver.ts';

/** A span with those that belong to it, in the order of their beginnings. */
export interface Branch {
  readonly span: Span;
  readonly branches: readonly Branch[];
}

/** The trees of some spans; a span whose parent is not among them is a root. */
export function treesOf(spans: readonly Span[]): Branch[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const below = Map.groupBy(spans, ({ parentSpanId = '' }) => (ids.has(parentSpanId) ? parentSpanId : ''));
  const branchesOf = (parent: string): Branch[] =>
    (below.get(parent) ?? [])
      .toSorted((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)))
      .map((span) => ({ span, branches: branchesOf(span.spanId) }));
  return branchesOf('');
}

const millisecondsOf = ({ startTimeUnixNano, endTimeUnixNano }: Span) =>
  (Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e6).toFixed(1);

/** One line for each span, indented by its depth, with its milliseconds. */
export const printed = (trees: readonly Branch[], depth = 0): string =>
  trees
    .map(
      ({ span, branches }) =>
        `${'  '.repeat(depth)}${span.name} ${millisecondsOf(span)} ms\n${printed(branches, depth + 1)}`,
    )
    .join('');

/** The names on the way from a root to each span. */
export const pathsIn = (trees: readonly Branch[], above = ''): string[] =>
  trees.flatMap(({ span, branches }) => {
    const path = `${above}${span.name}`;
    return [path, ...pathsIn(branches, `${path} > `)];
  });
