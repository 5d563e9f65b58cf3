/** What a profile of V8 has of a function: where it is, and what calls it. */
interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

export interface Profile {
  readonly nodes: readonly ProfileNode[];
  /** The node that ran at each sample. */
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

/** Parts of the time of a process, each with the files of its functions. The first one that matches counts. */
const parts = [
  ['Log', /node_modules\/(pino|sonic-boom|@pinojs|thread-stream)\/|\/packages\/service\/src\/log\.ts/],
  ['Validation', /node_modules\/zod\//],
  ['PostgreSQL client', /node_modules\/(pg|pg-\w+|kysely|@mikro-orm)\/|\/packages\/(data|query)\/src/],
  ['Events', /node_modules\/@nats-io\/|\/packages\/(messaging|events)\/src/],
  [
    'HTTP',
    /^node:_http|node_modules\/(fastify|@fastify|find-my-way|undici|avvio|light-my-request|fast-\w+)\//,
  ],
  ['Our own code', /\/(gateway|services\/[\w-]+|packages\/[\w-]+|crm)\/src/],
  ['Rest of Node', /^node:/],
] as const;

/** Native functions that hand something to the system, such as a packet. */
const calls = /^(write\w*|close|shutdown|readStart|connect)$/;

export const partNames = [
  'System calls of sockets',
  ...parts.map(([name]) => name),
  'Garbage collection',
] as const;
export type Part = (typeof partNames)[number];

/** How much of the time in which a process was not idle was spent in each part. Their sum is 1. */
export function sharesOf({ nodes, samples, timeDeltas }: Profile): ReadonlyMap<Part, number> {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const partOf = (id: number | undefined): Part | undefined => {
    const node = id === undefined ? undefined : byId.get(id);
    if (!node) return 'Rest of Node';
    const { functionName, url } = node.callFrame;
    if (functionName === '(idle)') return undefined;
    if (functionName === '(garbage collector)') return 'Garbage collection';
    if (url === '' && calls.test(functionName)) return 'System calls of sockets';
    // What V8 or Node does natively belongs to what calls it.
    return parts.find(([, files]) => files.test(url))?.[0] ?? partOf(id === undefined ? id : parents.get(id));
  };
  const times = new Map<Part, number>(partNames.map((name) => [name, 0]));
  samples.forEach((id, at) => {
    const part = partOf(id);
    if (part) times.set(part, (times.get(part) ?? 0) + (timeDeltas[at] ?? 0));
  });
  const all = times.values().reduce((sum, time) => sum + time, 0);
  return new Map(times.entries().map(([part, time]) => [part, time / all]));
}
