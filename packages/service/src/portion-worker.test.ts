import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { WorkerContext } from './definition.ts';
import { doPortions } from './portion-worker.ts';

/** How many of two portions are done by a worker that rests for hours, in so much time. */
async function doneOf(attempt: () => Promise<boolean>): Promise<number> {
  const stopping = new AbortController();
  let left = 2;
  const portions = {
    name: 'portions',
    due: async () => (left > 0 ? [{ id: left, attempts: 0 }] : []),
    toCome: '',
    prepare: async () => undefined,
    postpone: async () => undefined,
    attempt: async () => {
      left--;
      return attempt();
    },
    rest: 1_000_000,
    restsIfBusy: true,
  };
  const running = doPortions(portions, { database: {} } as WorkerContext, stopping.signal);
  await Promise.race([running, sleep(2_000)]);
  stopping.abort();
  await running;
  return 2 - left;
}

describe('work in portions', () => {
  it('rests after a portion if the process had no time left meanwhile, and not if it had', async () => {
    const waiting = async () => {
      await sleep(100);
      return true;
    };
    const working = async () => {
      for (const until = performance.now() + 100; performance.now() < until; );
      return true;
    };
    expect([await doneOf(waiting), await doneOf(working)]).toEqual([2, 1]);
  });
});
