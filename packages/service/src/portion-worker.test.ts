import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from '@crm/contract';
import type { Query } from '@crm/data';
import { letPass, withStoppedClock } from '@crm/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { WorkerContext } from './definition.ts';
import { doPortions, maxPortionAttempts, type Postponed } from './portion-worker.ts';

/** How many of two portions are done by a worker that rests for minutes, in a process that works for such a part of the time. */
async function doneBeforeRest(utilization: number): Promise<number> {
  const measured = vi.spyOn(performance, 'eventLoopUtilization');
  onTestFinished(() => measured.mockRestore());
  measured.mockReturnValue({ idle: 0, active: 0, utilization });
  const stopping = new AbortController();
  let left = 2;
  const portions = {
    name: 'portions',
    due: async () => (left > 0 ? [{ id: left, attempts: 0 }] : []),
    toCome: '',
    sizeOf: () => 8,
    prepare: async () => undefined,
    postpone: async () => undefined,
    attempt: async () => {
      left--;
      await sleep(10);
      return true;
    },
    rest: 10_000,
    restsIfBusy: true,
  };
  const running = doPortions(portions, { database: {} } as WorkerContext, stopping.signal);
  if (utilization > 0.9) await sleep(100).then(() => stopping.abort());
  await running;
  return 2 - left;
}

const coded = (code: string) => Object.assign(new Error(), { code });

/** How a portion is postponed that has failed three times before, and fails in one of its steps. */
async function postponedBy(step: 'prepare' | 'attempt', error: Error): Promise<Postponed[]> {
  const postponed: Postponed[] = [];
  const fail = async () => {
    throw error;
  };
  const portions = {
    name: 'portions',
    due: async () => [{ id: 1, attempts: 3 }],
    toCome: '',
    sizeOf: () => 8,
    prepare: async () => undefined,
    attempt: async () => true,
    [step]: fail,
    postpone: async (_query: Query, _due: object, how: Postponed) => void postponed.push(how),
    rest: 0,
  };
  const context = { log: { warn: () => undefined }, database: {} } as unknown as WorkerContext;
  await doPortions(portions, context, new AbortController().signal);
  return postponed;
}

describe('work in portions', () => {
  it('waits twice as long after each failure of its own, and hardly after those of others, which are not counted', async () => {
    const fault = new Error('A fault of the row.');
    const own = [{ attempts: 4, seconds: 16 }];
    const ofOthers = [{ attempts: 3, seconds: 2 }];
    expect(await postponedBy('attempt', fault)).toEqual(own);
    expect(await postponedBy('attempt', unavailable({ retryAfter: 1 }))).toEqual(ofOthers);
    const wrapped = new Error('It failed.', { cause: new Error('It failed.', { cause: coded('55P03') }) });
    expect(await postponedBy('attempt', wrapped)).toEqual(ofOthers);
    expect(await postponedBy('attempt', new Error('It failed.', { cause: fault }))).toEqual(own);
    expect(await postponedBy('prepare', fault)).toEqual(ofOthers);
  });

  it.each([
    ['its transaction lasts too long', '25P04'],
    ['the database has ended the transaction because it waited for this process', '25P03'],
  ])('is cut in half when %s, and counted as failed only if it cannot be cut', async (_why, code) => {
    const tooLong = coded(code);
    const outcomes = [
      tooLong,
      new Error('A statement was stopped.', { cause: coded('57014') }),
      tooLong,
      new Error('Another one.', { cause: tooLong }),
      true,
      true,
      true,
      true,
    ];
    const sizes: number[] = [];
    let one = { id: 1, attempts: 0 };
    const portions = {
      name: 'portions',
      due: async () => (outcomes.length > 0 ? [one] : []),
      toCome: '',
      sizeOf: () => 5,
      prepare: async () => undefined,
      attempt: async (_context: WorkerContext, { size }: { size: number }) => {
        sizes.push(size);
        const outcome = outcomes.shift();
        if (outcome !== true) throw outcome;
        one = { ...one, attempts: 0 };
        return true;
      },
      postpone: async (_query: Query, _due: object, { attempts }: Postponed) => {
        one = { ...one, attempts };
        postponed.push(attempts);
      },
      rest: 0,
    };
    const postponed: number[] = [];
    const context = { log: { warn: () => undefined }, database: {} } as unknown as WorkerContext;
    const cuts = new Map();
    while (outcomes.length > 0) await doPortions(portions, context, new AbortController().signal, cuts);
    expect(sizes).toEqual([5, 3, 2, 1, 1, 2, 4, 5]);
    expect(postponed).toEqual([0, 0, 0, 1]);
  });

  it.each([
    [9_000, [8, 8]],
    [11_000, [8, 4]],
  ])(
    'is cut in half when its connection was lost after %d ms, perhaps because this process was busy',
    async (lasts, expected) => {
      const sizes: number[] = [];
      const portions = {
        name: 'portions',
        due: async () => (sizes.length < 2 ? [{ id: 1, attempts: 0 }] : []),
        toCome: '',
        sizeOf: () => 8,
        prepare: async () => undefined,
        attempt: async (_context: WorkerContext, { size, attempts }: { size: number; attempts: number }) => {
          sizes.push(size);
          expect(attempts).toBe(0);
          if (sizes.length > 1) return true;
          letPass(lasts);
          throw new Error('Client has encountered a connection error and is not queryable');
        },
        postpone: async (_query: Query, _due: object, { attempts }: Postponed) => expect(attempts).toBe(0),
        rest: 0,
      };
      const context = { log: { warn: () => undefined }, database: {} } as unknown as WorkerContext;
      const cuts = new Map();
      await withStoppedClock(async () => {
        while (sizes.length < 2) await doPortions(portions, context, new AbortController().signal, cuts);
      });
      expect(sizes).toEqual(expected);
    },
  );

  it('goes on one at a time after a fault, until it has done as many as the portion that failed', async () => {
    const total = 30;
    const faulty = 6;
    const sizes: number[] = [];
    let [done, one] = [0, { id: 1, attempts: 0 }];
    const portions = {
      name: 'portions',
      due: async () => (done < total ? [one] : []),
      toCome: '',
      sizeOf: () => 8,
      prepare: async () => undefined,
      attempt: async (_context: WorkerContext, { size, attempts }: { size: number; attempts: number }) => {
        sizes.push(size);
        const isFaulty = done <= faulty && faulty < done + size && attempts < maxPortionAttempts;
        if (isFaulty) throw new Error('A fault of the row.');
        done += size;
        one = { ...one, attempts: 0 };
        return true;
      },
      postpone: async (_query: Query, _due: object, { attempts }: Postponed) => {
        one = { ...one, attempts };
      },
      rest: 0,
    };
    const context = { log: { warn: () => undefined }, database: {} } as unknown as WorkerContext;
    const cuts = new Map();
    while (done < total) await doPortions(portions, context, new AbortController().signal, cuts);
    const singly = Array.from({ length: 8 + maxPortionAttempts }, () => 1);
    expect(sizes).toEqual([8, ...singly, 2, 4, 8, 8]);
  });

  it('rests after a portion if the process had no time left meanwhile, and not if it had', async () => {
    expect([await doneBeforeRest(0.89), await doneBeforeRest(0.91)]).toEqual([2, 1]);
  });
});
