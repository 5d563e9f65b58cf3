import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { atMostEvery } from './at-most-every.ts';
import { createLog } from './log.ts';
import { repeat, repeatAfterCommits } from './repeat.ts';

const log = createLog('repeat', 'silent');

/** Commits that a test makes, of a database whose commits are heard or not. */
function commitsHeard(areHeard: boolean) {
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
      idleMs: (pollMs: number, longestMs: number) => (areHeard ? longestMs : pollMs),
      stop: async () => undefined,
    },
    subscribers,
  };
}

/** Work that counts its runs, repeated until the test ends. */
function counted(start: (work: () => Promise<void>) => { stop(): Promise<void> }) {
  const counter = { runs: 0 };
  const repeated = start(async () => {
    counter.runs += 1;
    if (counter.runs === 1) throw new Error('the first run fails');
  });
  onTestFinished(() => repeated.stop());
  return Object.assign(counter, { stop: repeated.stop });
}

describe('work after commits', () => {
  it('runs after each commit once they are heard, also after a failure, and not before', async () => {
    const { commits, commit } = commitsHeard(true);
    const work = counted((run) => repeatAfterCommits('count', 20, run, { commits, log }));
    await sleep(200);
    expect(work.runs).toBe(0);
    for (const runs of [1, 2, 3]) {
      commit();
      await expect.poll(() => work.runs).toBe(runs);
    }
  });

  it('runs without commits while they are not heard', async () => {
    const work = counted((run) =>
      repeatAfterCommits('count', 10, run, { commits: commitsHeard(false).commits, log }),
    );
    await expect.poll(() => work.runs).toBeGreaterThan(3);
  });

  it('does not run again once it is stopped', async () => {
    const { commits, commit, subscribers } = commitsHeard(true);
    const work = counted((run) => repeatAfterCommits('count', 20, run, { commits, log }));
    await work.stop();
    commit();
    await sleep(50);
    expect(work.runs).toBe(0);
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
