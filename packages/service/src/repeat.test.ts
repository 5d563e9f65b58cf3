import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { atMostEvery } from './at-most-every.ts';
import { createLog } from './log.ts';
import { repeat, repeatAfterCommits } from './repeat.ts';

const log = createLog('repeat', 'silent');

/** Commits that a test makes, of a database whose notifications arrive or not. */
function commitsWith({ notifications }: { readonly notifications: boolean }) {
  const subscribers = new Set<() => void>();
  return {
    commit: () => {
      for (const onCommit of subscribers) onCommit();
    },
    commits: {
      subscribe: (onCommit: () => void) => {
        subscribers.add(onCommit);
        return () => void subscribers.delete(onCommit);
      },
      idleMs: (pollMs: number, longestMs: number) => (notifications ? longestMs : pollMs),
      wake: () => undefined,
      stop: async () => undefined,
    },
    subscribers,
  };
}

/** Work that counts its runs, repeated until the test ends. */
function counted(start: (work: () => Promise<undefined>) => { stop(): Promise<void> }) {
  const counter = { runs: 0 };
  const repeated = start(async () => {
    counter.runs += 1;
    if (counter.runs === 1) throw new Error('the first run fails');
    return undefined;
  });
  onTestFinished(() => repeated.stop());
  return Object.assign(counter, { stop: repeated.stop });
}

describe('work after commits', () => {
  it('runs at the start and after each commit, also after a failure, and at no other time', async () => {
    const { commits, commit } = commitsWith({ notifications: true });
    const work = counted((run) => repeatAfterCommits('count', 20, run, { commits, log }));
    await expect.poll(() => work.runs).toBe(1);
    for (const runs of [2, 3, 4]) {
      await sleep(100);
      commit();
      await expect.poll(() => work.runs).toBe(runs);
    }
  });

  it('runs when the next row is due, and never more often than it may', async () => {
    const { commits } = commitsWith({ notifications: true });
    const ran: number[] = [];
    const dueIn = [60, -1_000, undefined];
    const work = async () => {
      ran.push(performance.now());
      return dueIn[ran.length - 1];
    };
    const { stop } = repeatAfterCommits('due', 40, work, { commits, log });
    onTestFinished(stop);
    await expect.poll(() => ran.length).toBe(3);
    const [first = 0, second = 0, third = 0] = ran;
    // Timers may be a millisecond early.
    expect([second - first >= 59, third - second >= 39]).toEqual([true, true]);
    await sleep(200);
    expect(ran).toHaveLength(3);
  });

  it('runs without notifications if they do not arrive', async () => {
    const work = counted((run) =>
      repeatAfterCommits('count', 10, run, { commits: commitsWith({ notifications: false }).commits, log }),
    );
    await expect.poll(() => work.runs).toBeGreaterThan(3);
  });

  it('does not run again once it is stopped', async () => {
    const { commits, commit, subscribers } = commitsWith({ notifications: true });
    const work = counted((run) => repeatAfterCommits('count', 20, run, { commits, log }));
    await expect.poll(() => work.runs).toBe(1);
    await work.stop();
    commit();
    await sleep(50);
    expect(work.runs).toBe(1);
    expect(subscribers.size).toBe(0);
  });
});

it('repeated work goes on after a failure', async () => {
  const work = counted((run) => repeat('count', 10, run, log));
  await expect.poll(() => work.runs).toBeGreaterThan(3);
});

it('calls that come together are one call at once and one when the time is over', async () => {
  let calls = 0;
  const call = atMostEvery(100, () => {
    calls += 1;
  });
  for (let turn = 0; turn < 10; turn++) call();
  expect(calls).toBe(1);
  await expect.poll(() => calls).toBe(2);
  await sleep(150);
  expect(calls).toBe(2);
});
