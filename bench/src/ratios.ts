import type { CaseName } from './cases.ts';
import type { Measurement } from './measure.ts';
import type { PeerName } from './options.ts';

/** The median of the rounds, the lowest and the highest. */
export interface Spread {
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

/** Ours divided by the peer's, within each round. */
export interface Ratio {
  readonly case: CaseName;
  readonly connections: number;
  readonly peer: PeerName;
  readonly throughput: Spread;
  readonly serverCpu: Spread;
  readonly postgresCpu: Spread;
  readonly p50: Spread;
  readonly p99: Spread;
}

type Figure = 'perSecond' | 'serverCpu' | 'postgresCpu' | 'p50' | 'p99';

/** Measurements of one target, one for each round. */
export interface Group {
  readonly case: CaseName;
  readonly connections: number;
  readonly target: Measurement['target'];
  readonly rounds: readonly Measurement[];
}

export function groupsOf(measurements: readonly Measurement[]): Group[] {
  const groups = Map.groupBy(measurements, (one) => `${one.case} ${one.connections} ${one.target}`);
  return [...groups.values()].flatMap((rounds) => {
    const [first] = rounds;
    return first ? [{ case: first.case, connections: first.connections, target: first.target, rounds }] : [];
  });
}

export function ratiosOf(measurements: readonly Measurement[]): Ratio[] {
  const groups = groupsOf(measurements);
  return groups.flatMap((theirs) => {
    const ours = groups.find(
      (one) => one.target === 'ours' && one.case === theirs.case && one.connections === theirs.connections,
    );
    if (theirs.target === 'ours' || !ours) return [];
    const ratio = (figure: Figure) => spreadOf(withinRounds(ours, theirs, figure));
    return [
      {
        case: theirs.case,
        connections: theirs.connections,
        peer: theirs.target,
        throughput: ratio('perSecond'),
        serverCpu: ratio('serverCpu'),
        postgresCpu: ratio('postgresCpu'),
        p50: ratio('p50'),
        p99: ratio('p99'),
      },
    ];
  });
}

/** A round in which nothing was counted on either side says nothing. */
function withinRounds(ours: Group, theirs: Group, figure: Figure): number[] {
  return theirs.rounds.flatMap((their) => {
    const our = ours.rounds.find(({ round }) => round === their.round);
    const ratio = our ? our[figure] / their[figure] : Number.NaN;
    return Number.isFinite(ratio) && ratio > 0 ? [ratio] : [];
  });
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    lowest: at(0),
    highest: at(sorted.length - 1),
  };
}
