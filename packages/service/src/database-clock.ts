import type { Query } from '@crm/data';
import type { Clock } from './clock.ts';
import type { Logger } from './log.ts';
import { repeat } from './repeat.ts';

/** How far a clock is from that of the database. */
export interface Skew {
  /** Positive if the clock of this machine is ahead. */
  readonly ms: number;
  /** The true difference is at most this far from `ms`. */
  readonly withinMs: number;
}

export interface DatabaseClock {
  /** The time of the database, as far as this process knows it. */
  readonly now: Clock;
  skew(): Skew;
  /** Why this process should not serve requests, if its clock is too far off. */
  problem(): string | undefined;
  stop(): Promise<void>;
}

/** Until it is known, the clock of the machine is used. */
const unknown: Skew = { ms: 0, withinMs: Number.POSITIVE_INFINITY };

const everyMs = 30_000;
const maxSkewMs = 2_000;
/** The measurement with the shortest round trip is the most accurate. One with a short round trip is enough. */
const attempts = 3;
const shortWayMs = 5;

/**
 * Follows the clock of the database, by which all instances of a service decide what is due: measures how far the clock of this
 * machine is from it, at once and every 30 seconds, and corrects for the difference.
 */
export async function followDatabase(query: Query, machine: Clock, log: Logger): Promise<DatabaseClock> {
  let skew = await measure(query, machine).catch((error: unknown) => {
    log.warn({ err: error }, 'the clock could not be compared with that of the database');
    return unknown;
  });
  warn(skew, log);
  const following = repeat(
    'compare the clocks',
    everyMs,
    async () => {
      skew = await measure(query, machine);
      warn(skew, log);
    },
    log,
  );
  return {
    now: () => new Date(machine().getTime() - skew.ms),
    skew: () => skew,
    problem: () => (isTooLarge(skew) ? inWords(skew) : undefined),
    stop: following.stop,
  };
}

/**
 * Subtracts half of the round trip, so that the error is at most the other half plus the rounding of the clocks. A difference
 * within that error counts as none: otherwise the time of a process would jump by it every 30 seconds.
 */
async function measure(query: Query, machine: Clock): Promise<Skew> {
  const found: Skew[] = [];
  while (found.length < attempts) {
    const before = machine().getTime();
    const [row] = await query('select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms', []);
    const after = machine().getTime();
    const ms = Math.round((before + after) / 2 - Number(row?.ms));
    const withinMs = Math.ceil((after - before) / 2) + 1;
    found.push({ ms: Math.abs(ms) <= withinMs ? 0 : ms, withinMs });
    if (withinMs <= shortWayMs) break;
  }
  return found.reduce((best, one) => (one.withinMs < best.withinMs ? one : best));
}

/** Only if the difference is certain: a slow database must not make every process unready. */
const isTooLarge = ({ ms, withinMs }: Skew) => Math.abs(ms) - withinMs > maxSkewMs;

const inWords = ({ ms }: Skew) =>
  `The clock of this machine is ${Math.abs(ms)} ms ${ms > 0 ? 'ahead of' : 'behind'} that of the database.`;

function warn(skew: Skew, log: Logger) {
  if (isTooLarge(skew)) log.error({ skew }, inWords(skew));
}
