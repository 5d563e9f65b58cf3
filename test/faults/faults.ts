import fc from 'fast-check';

/** Everything that can go wrong, with how often it does in a minute of a long run, and how long it lasts, in milliseconds. */
const catalogue = {
  kill: { perMinute: 60, ms: [0, 0] },
  'kill both': { perMinute: 0.5, ms: [0, 0] },
  pause: { perMinute: 3, ms: [5_000, 20_000] },
  'restart PostgreSQL': { perMinute: 1, ms: [0, 0] },
  'restart NATS': { perMinute: 1, ms: [0, 0] },
  'power cut of NATS': { perMinute: 0.5, ms: [0, 0] },
  latency: { perMinute: 2, ms: [2_000, 8_000] },
  throttle: { perMinute: 1, ms: [2_000, 8_000] },
  'half-open': { perMinute: 2, ms: [2_000, 8_000] },
  cut: { perMinute: 2, ms: [500, 3_000] },
  'disk full': { perMinute: 0.3, ms: [2_000, 6_000] },
} as const satisfies Record<string, { perMinute: number; ms: readonly [number, number] }>;

export type FaultKind = keyof typeof catalogue;

export const faultKinds = Object.keys(catalogue) as FaultKind[];

export interface Fault {
  readonly kind: FaultKind;
  /** Since the start of the run. */
  readonly atMs: number;
  readonly forMs: number;
  /** Chooses a process or a link. */
  readonly target: number;
}

interface Run {
  readonly seed: number;
  readonly seconds: number;
  readonly kinds: readonly FaultKind[];
  /** The share of the usual number of kills, for a machine that cannot start so many processes. */
  readonly killShare: number;
  /** The longest that a fault may last, in milliseconds. */
  readonly longestMs?: number;
}

/** The faults of a run, in their order. The same seed gives the same faults; each kind comes at least once. */
export function planOf({ seed, seconds, kinds, killShare, longestMs = 60_000 }: Run): Fault[] {
  return kinds
    .flatMap((kind, index) => {
      const { perMinute, ms } = catalogue[kind];
      const share = kind === 'kill' ? killShare : 1;
      const count = Math.max(1, Math.round((perMinute * share * seconds) / 60));
      const one = fc.record({
        kind: fc.constant(kind),
        // The first fifth shows what a kill alone does; at the very end nothing would happen to what a fault concerns.
        atMs: fc.integer({ min: kind === 'kill' ? 0 : seconds * 200, max: seconds * 900 }),
        forMs: fc.integer({ min: Math.min(ms[0], longestMs), max: Math.min(ms[1], longestMs) }),
        target: fc.nat(1_000_000),
      });
      return fc.sample(fc.noBias(one), { seed: seed + index, numRuns: count });
    })
    .toSorted((a, b) => a.atMs - b.atMs);
}

/** Numbers from 0 to less than 1 that follow from a seed. */
export function chances(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
