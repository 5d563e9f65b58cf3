import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { system } from '@crm/auth';
import { batched } from '@crm/client';
import { emFor, type Query, queryIn, WithId } from '@crm/data';
import { causeIn, isAboutData, type Logger, refusalIn, type WorkerContext } from '@crm/service';
import { counts } from '@crm/telemetry';
import { isAnyAbandoned } from './abandoned-rows.queries.ts';
import { crashPoint } from './crash-point.ts';
import { type Beginning, beginSending, lockLimits, takeBackCheck } from './due-rows.queries.ts';
import { factsMs } from './lease.ts';
import type { FinalCheck, Obstacle, Queue } from './queue.ts';
import { abandonedIn, releaseRows } from './release-rows.ts';
import { settle } from './settle-rows.queries.ts';
import type { StoredOutcome } from './settlement.ts';

/** Milliseconds of the monotonic clock of this process. */
export type Monotonic = number;

/** A row that is about to be sent, and when other services were asked about it. */
export interface Wanted extends Omit<Beginning, 'facts_age'> {
  readonly factsAt: Monotonic;
}

/** The result of the final check of a row. */
export type Verdict =
  | { readonly is: 'begun'; readonly checkedAt: Monotonic }
  /** The facts from other services must be loaded again. */
  | { readonly is: 'stale' }
  /** It was removed, or another worker has leased it. */
  | { readonly is: 'lost' }
  | ({ readonly is: 'stopped'; readonly until: Date | undefined } & Obstacle);

/** Rows that arrive within this time share a statement: a batch costs little more than a single row. */
const everyMs = 100;

/** The changes to the rows of a queue in its table, in batches. */
export function rowStore(
  { table, check, name, outcomes: published }: Pick<Queue, 'table' | 'check' | 'name' | 'outcomes'>,
  { database: { query, orm }, clock, log }: Pick<WorkerContext, 'database' | 'clock' | 'log'>,
) {
  const count = counterOf(name);

  /** Stores outcomes and publishes them, in one transaction. */
  const store = async (outcomesIn: (tx: Query) => Promise<readonly StoredOutcome[]>) => {
    const ended = await emFor(orm, system).transactional(async (em) => {
      const [now, tx] = [clock(), queryIn(em)];
      const outcomes = await outcomesIn(tx);
      const { settled, ended } = await settle(tx, table, outcomes, published?.columns);
      const origin = { em, actor: system, now: () => now };
      for (const row of settled) published?.publish({ ...origin, ...causeOf(row, outcomes) }, [row]);
      await crashPoint(`${name}.settled`);
      return ended;
    });
    count(ended);
  };

  const settleOne = batched(async (outcomes: readonly StoredOutcome[]) => {
    await store(async () => outcomes);
    return outcomes.map(() => undefined);
  }, batching);

  return {
    ...finalCheck({ table, check }, { query, orm }),
    /**
     * Stores an outcome. After a failure that is not caused by its data, it tries again until a moment of the monotonic clock.
     */
    settle: (outcome: StoredOutcome, until: Monotonic) => persistently(() => settleOne(outcome), until, log),
    /** Releases rows whose lease has expired. */
    async releaseAbandoned(honoursKeys: boolean): Promise<void> {
      const release = (id: number | null) => store((tx) => abandonedIn(table, tx, honoursKeys, id));
      if (await isAnyAbandoned(query, table)) await releaseRows({ query, log, table, release });
    },
  };
}

/**
 * A message that may have been sent goes to no other destination: it could be read twice, and a reply, a click on its link or a
 * bounce is matched by where it was sent.
 */
const hasMoved: Obstacle = {
  when: 't.doubtful_since is not null and t.sent_to <> wanted.sent_to',
  state: 'Failed',
  reason: 'Its recipient has another number or address now.',
};

/** Begins to send rows that pass their final check. */
function finalCheck(
  { table, check: own }: Pick<Queue, 'table' | 'check'>,
  { query, orm }: Pick<WorkerContext['database'], 'query' | 'orm'>,
) {
  const check = { ...own, obstacles: [hasMoved, ...own.obstacles] };
  const beginAll = verdictsOn(check, checkOf({ table, check }, { query, orm }));
  const begin = check.isAlone
    ? async (one: Wanted): Promise<Verdict> => (await beginAll([one]))[0] ?? { is: 'lost' }
    : batched(beginAll, batching);
  return {
    begin,
    /**
     * Repeats the final check of a row of which nothing was sent since the last one. Meanwhile the row does not count for limits.
     */
    async beginAgain(one: Wanted): Promise<Verdict> {
      await takeBackCheck(query, table, one);
      return begin(one);
    },
  };
}

const batching = { everyMs, isShared: (error: unknown) => refusalIn(error) !== undefined };

/** The request and the span that an outcome follows from. */
function causeOf(row: unknown, outcomes: readonly StoredOutcome[]) {
  const { id } = WithId.parse(row);
  const traceparent = outcomes.find((one) => one.id === id)?.traceparent;
  const requestId = causeIn(row).request_id ?? randomUUID();
  return { requestId, ...(traceparent !== undefined && { traceparent }) };
}

function counterOf(queue: string) {
  const count = counts('crm.dispatch.outcomes');
  return (ended: Awaited<ReturnType<typeof settle>>['ended']) => {
    for (const { ended_lane, ended_state } of ended)
      count({ 'crm.queue': queue, 'crm.lane': ended_lane, 'crm.state': ended_state });
  };
}

/** The statement of the final check. If rows share limits, it first waits for others who check such rows. */
function checkOf(
  { table, check }: Pick<Queue, 'table' | 'check'>,
  { query, orm }: Pick<WorkerContext['database'], 'query' | 'orm'>,
) {
  const { limits } = check;
  if (!limits) return (rows: readonly Beginning[]) => beginSending(query, table, check, rows);
  return (rows: readonly Beginning[]) =>
    emFor(orm, system).transactional(async (em) => {
      const tx = queryIn(em);
      await lockLimits(tx, table, limits, rows);
      return beginSending(tx, table, check, rows);
    });
}

const firstPauseMs = 100;
const longestPauseMs = 2_000;

/**
 * Repeats work until it succeeds or a moment has passed. It repeats after any error that may be temporary, including unknown
 * ones, because a lost outcome leads to a second e-mail.
 */
async function persistently(work: () => Promise<void>, until: Monotonic, log: Logger): Promise<void> {
  for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
    try {
      return await work();
    } catch (error) {
      if (isAboutData(error) || performance.now() + pause > until) throw error;
      log.warn({ err: error }, 'an outcome could not be stored, and is stored later');
      await sleep(pause);
    }
  }
}

/** The current final check of rows, in one statement. */
const verdictsOn =
  (check: FinalCheck, checkNow: (rows: readonly Beginning[]) => ReturnType<typeof beginSending>) =>
  async (wanted: readonly Wanted[]): Promise<Verdict[]> => {
    const checkedAt = performance.now();
    const beginnings = wanted.map(({ factsAt, ...row }) => ({
      ...row,
      facts_age: (checkedAt - factsAt) / 1000,
    }));
    const fresh = beginnings.filter(({ facts_age }) => facts_age * 1000 <= factsMs);
    const checked = fresh.length > 0 ? await checkNow(fresh) : [];
    const verdicts = new Map(checked.map((verdict) => [verdict.id, verdict]));
    return beginnings.map((one) => {
      if (!fresh.includes(one)) return { is: 'stale' };
      const verdict = verdicts.get(one.id);
      const obstacle = check.obstacles[verdict?.obstacle ?? -1];
      if (obstacle) {
        const until = verdict?.until_ms == null ? undefined : new Date(Math.ceil(verdict.until_ms));
        return { is: 'stopped', ...obstacle, until };
      }
      return verdict?.is_begun ? { is: 'begun', checkedAt } : { is: 'lost' };
    });
  };

export type RowStore = ReturnType<typeof rowStore>;
