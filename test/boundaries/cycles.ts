/** What a node imports, and an import that shows it for each. */
export type Graph = ReadonlyMap<string, ReadonlyMap<string, string>>;

export interface Edge {
  readonly from: string;
  readonly to: string;
  /** Such as `a.ts → ../b/c.ts`. */
  readonly example: string;
}

/** Edges inside one node are left out. */
export function graphOf(edges: readonly Edge[]): Graph {
  const graph = new Map<string, Map<string, string>>();
  for (const { from, to, example } of edges) {
    if (from === to) continue;
    const targets = graph.get(from) ?? new Map<string, string>();
    if (!targets.has(to)) targets.set(to, example);
    graph.set(from, targets);
  }
  return graph;
}

/** The edges that are part of a cycle, as sentences; none in a graph without cycles. */
export function cyclesIn(graph: Graph): string[] {
  const reachable = new Map([...graph.keys()].map((node) => [node, reachableFrom(graph, node)]));
  return [...graph].flatMap(([from, targets]) =>
    [...targets]
      .filter(([to]) => reachable.get(to)?.has(from))
      .map(([to, example]) => `${from} → ${to} (${example})`),
  );
}

function reachableFrom(graph: Graph, start: string): Set<string> {
  const seen = new Set<string>();
  const pending = [start];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    for (const target of graph.get(node)?.keys() ?? []) {
      if (seen.has(target)) continue;
      seen.add(target);
      pending.push(target);
    }
  }
  return seen;
}
