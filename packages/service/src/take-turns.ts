import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker, WorkerContext } from './definition.ts';
import { dueIn } from './due-in.ts';
import { repeatAfterCommits } from './repeat.ts';

const everyMs = 500;
/** How many users have their turn in a round. */
const roundSize = 20;
/** Of its time, what a process works of which others notice. */
const busy = 0.9;

interface Turns<Due> {
  readonly name: string;
  /** The work of each user that is due, that which has waited longest first. */
  readonly due: (context: WorkerContext, limit: number) => Promise<readonly Due[]>;
  /** Selects when work is due, as `due_at`. */
  readonly toCome: string;
  /** Does a portion. Returns whether it has. */
  readonly attempt: (context: WorkerContext, due: Due) => Promise<boolean>;
  /** How long it rests after a portion, as a share of the time that it took. */
  readonly rest: number;
  /** Whether it rests only after portions during which this process had hardly any time left. */
  readonly restsIfBusy?: boolean;
}

/** Does a portion of the work of each user in turn, until nothing is left or it is stopped. */
export async function takeTurns<Due>(
  { due, attempt, rest, restsIfBusy = false }: Turns<Due>,
  context: WorkerContext,
  stopping: AbortSignal,
): Promise<void> {
  for (;;) {
    let hasDone = false;
    for (const one of await due(context, roundSize)) {
      if (stopping.aborted) return;
      const began = performance.now();
      const before = performance.eventLoopUtilization();
      if (await attempt(context, one)) hasDone = true;
      if (restsIfBusy && performance.eventLoopUtilization(before).utilization < busy) continue;
      // So that it takes only a part of what one connection can do.
      const pause = (performance.now() - began) * rest;
      await sleep(pause, undefined, { signal: stopping }).catch(() => undefined);
    }
    if (!hasDone) return;
  }
}

export const turnsWorker =
  <Due>(turns: Turns<Due>): Worker =>
  async (context) => {
    const stopping = new AbortController();
    const work = async () => {
      await takeTurns(turns, context, stopping.signal);
      return dueIn(context.database.query, turns.toCome);
    };
    const repeated = repeatAfterCommits(turns.name, everyMs, work, context);
    return {
      async stop() {
        stopping.abort();
        await repeated.stop();
      },
    };
  };
