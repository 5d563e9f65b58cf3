import { setTimeout as sleep } from 'node:timers/promises';
import { maxIdleMs, maxTransactionMs, type Query } from '@crm/data';
import { isStopped, isTooLong, isUnavailable } from './classify-error.ts';
import type { Worker, WorkerContext } from './definition.ts';
import { dueIn } from './due-in.ts';
import { repeatAfterCommits } from './repeat.ts';

const everyMs = 500;
/** The number of users for whom a portion is done in each round. */
const roundSize = 20;
/** Event loop utilization above which other requests are slowed down. */
const busy = 0.9;
/** Delay before retrying after a failure of another component. */
const unavailableSeconds = 2;
/** The longest delay before retrying after a failure of its own. */
const longestSeconds = 300;

/** How many times a portion that ends in a fault is tried before its contact or row is left out. */
export const maxPortionAttempts = 5;

/** Why a contact was left out, for the user. */
export const leftOutReason = 'An internal error prevents this change. It was logged for the operator.';

/** Work that is due, with how often its next portion has failed. */
interface Tried {
  readonly id: number;
  readonly attempts: number;
}

/**
 * Work with the maximum number of rows or contacts of its next portion; after a fault that is one, to find out which of them
 * causes it.
 */
export type Sized<Due> = Due & { readonly size: number };

/** When a portion that has failed is tried again. */
export interface Postponed {
  readonly attempts: number;
  readonly seconds: number;
}

interface Portions<Due extends Tried, Prepared> {
  readonly name: string;
  /** The due work of each user, longest-waiting first. */
  readonly due: (query: Query, limit: number) => Promise<readonly Due[]>;
  /** Selects when work is due, as `due_at`. */
  readonly toCome: string;
  /** The number of rows or contacts that usually takes a fraction of the time of a transaction. */
  readonly sizeOf: (due: Due) => number;
  /**
   * Asks other services for what a portion needs. A failure or refusal here does not count as an attempt, because the portion
   * was not reached.
   */
  readonly prepare: (context: WorkerContext, due: Sized<Due>) => Promise<Prepared>;
  /** Does a portion. Returns whether it has. */
  readonly attempt: (context: WorkerContext, due: Sized<Due>, prepared: Prepared) => Promise<boolean>;
  readonly postpone: (query: Query, due: Due, postponed: Postponed) => Promise<void>;
  /** How long it pauses after a portion, as a share of the time that the portion took. */
  readonly rest: number;
  /** Whether it pauses only after portions during which this process was almost fully busy. */
  readonly restsIfBusy?: boolean;
}

interface Cut {
  readonly size: number;
  /** How many more are done one at a time, because one of them may cause a fault. */
  readonly singly: number;
}

/** The portions that were reduced, by the id of their work. Work that ends leaves its entry behind, which is small. */
type Cuts = Map<number, Cut>;

/** Does a portion of the work of each user in turn, until nothing is left or it is stopped. */
export async function doPortions<Due extends Tried, Prepared>(
  portions: Portions<Due, Prepared>,
  context: WorkerContext,
  stopping: AbortSignal,
  cuts: Cuts = new Map(),
): Promise<void> {
  const { due, rest, restsIfBusy = false } = portions;
  const { query } = context.database;
  for (;;) {
    let hasDone = false;
    for (const one of await due(query, roundSize)) {
      if (stopping.aborted) return;
      const began = performance.now();
      const before = performance.eventLoopUtilization();
      if (await doPortion(portions, context, one, cuts)) hasDone = true;
      if (restsIfBusy && performance.eventLoopUtilization(before).utilization < busy) continue;
      // So that it uses only a part of what one connection can do.
      const pause = (performance.now() - began) * rest;
      await sleep(pause, undefined, { signal: stopping }).catch(() => undefined);
    }
    if (!hasDone) return;
  }
}

async function doPortion<Due extends Tried, Prepared>(
  { name, sizeOf, prepare, attempt, postpone }: Portions<Due, Prepared>,
  context: WorkerContext,
  due: Due,
  cuts: Cuts,
): Promise<boolean> {
  const cut = cuts.get(due.id);
  const size = due.attempts > 0 ? 1 : (cut?.size ?? sizeOf(due));
  const sized = { ...due, size };
  let began: number | undefined;
  const ms = () => (began === undefined ? 0 : performance.now() - began);
  try {
    const prepared = await prepare(context, sized);
    began = performance.now();
    const isDone = await attempt(context, sized, prepared);
    if (isDone && cut && cut.singly > 1) cuts.set(due.id, { ...cut, singly: cut.singly - 1 });
    // Twice as many would take less than half of the time of a transaction.
    else if (isDone && cut && ms() < maxTransactionMs / 4) grow(cuts, due.id, sizeOf(due));
    return isDone;
  } catch (error) {
    context.log.warn({ err: error, id: due.id, size }, `${name}: a portion failed and will be retried`);
    // If the connection is lost between two statements, the error has no code.
    const wasTooLong = began !== undefined && (isTooLong(error) || ms() >= maxTransactionMs);
    const mayBeTooLong = isStopped(error) || (isUnavailable(error) && ms() >= maxIdleMs);
    const isToBeCut = wasTooLong || (began !== undefined && mayBeTooLong);
    // If a portion was stopped because it took too long, that says nothing about its first row.
    if (isToBeCut && size > 1) cuts.set(due.id, { size: Math.ceil(size / 2), singly: 0 });
    const isItsOwn = began !== undefined && (wasTooLong ? size === 1 : !isUnavailable(error));
    // Otherwise each of the rows before the one that causes the fault would cost another failed portion.
    if (isItsOwn && !isToBeCut && size > 1) cuts.set(due.id, { size: 1, singly: size });
    const attempts = isItsOwn ? due.attempts + 1 : due.attempts;
    const seconds = isItsOwn ? Math.min(2 ** attempts, longestSeconds) : unavailableSeconds;
    await postpone(context.database.query, due, { attempts, seconds });
    return false;
  }
}

function grow(cuts: Cuts, id: number, full: number): void {
  const next = 2 * (cuts.get(id)?.size ?? full);
  if (next < full) cuts.set(id, { size: next, singly: 0 });
  else cuts.delete(id);
}

/** A worker that does portions of the work of each user in turn. */
export const portionWorker =
  <Due extends Tried, Prepared>(portions: Portions<Due, Prepared>): Worker =>
  async (context) => {
    const stopping = new AbortController();
    const cuts: Cuts = new Map();
    const work = async () => {
      await doPortions(portions, context, stopping.signal, cuts);
      return dueIn(context.database.query, portions.toCome);
    };
    const repeated = repeatAfterCommits(portions.name, everyMs, work, context);
    return {
      async stop() {
        stopping.abort();
        await repeated.stop();
      },
    };
  };
