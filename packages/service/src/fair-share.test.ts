import { describe, expect, it } from 'vitest';
import { fairShare } from './fair-share.ts';

/** Work that is done when the test says so. */
function held() {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => () => {
    started.push(name);
    return new Promise<string>((resolve) => ends.push(() => resolve(name)));
  };
  return { started, ends, work };
}

const none = { atOnce: 0, inAll: 0 };

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a fair share', () => {
  it('runs so much of one user at once and the rest in order, and does not hold up others', async () => {
    const { changes: turns } = fairShare({ atOnce: 2, waiting: 10, reads: none });
    const { started, ends, work } = held();
    const all = ['a1', 'a2', 'a3', 'a4'].map((name) => turns('a', work(name)));
    const other = turns('b', work('b1'));
    expect(started).toEqual(['a1', 'a2', 'b1']);
    ends[1]?.();
    // Comes before the one that waits has been told of its turn.
    const newcomer = turns('a', work('a5'));
    await settled();
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
    for (let end = 0; end < 6; end++) {
      ends[end]?.();
      await settled();
    }
    expect(await Promise.all([...all, newcomer, other])).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'b1']);
  });

  it('lets users take turns at what others have, one piece of work each, whoever came first', async () => {
    const { reads: turns, waiting } = fairShare({ atOnce: 3, waiting: 10, reads: { atOnce: 3, inAll: 4 } });
    const { started, ends, work } = held();
    const begin = (name: string) => turns(name.slice(0, 1), work(name));
    const all = ['a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'c1', 'c2', 'd1'].map(begin);
    expect(started).toEqual(['a1', 'a2', 'a3', 'b1']);
    expect(waiting()).toBe(5);
    for (let end = 0; end < 9; end++) {
      ends[end]?.();
      await settled();
    }
    await Promise.all(all);
    expect(started).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'd1', 'b3', 'c2']);
  });

  it('has one read at once of a user whose last one took long', async () => {
    let now = 0;
    const reads = { atOnce: 2, inAll: 10, longMs: 50 };
    const { reads: turns } = fairShare({ atOnce: 2, waiting: 10, reads, clock: () => now });
    const { started, ends, work } = held();
    const all = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map((name) => turns('a', work(name)));
    const endAt = async (end: number, ms: number) => {
      now = ms;
      ends[end]?.();
      await settled();
      return started.at(-1);
    };
    expect(await endAt(0, 51)).toBe('a2');
    expect(await endAt(1, 51)).toBe('a3');
    // It is quick, and two begin.
    expect(await endAt(2, 60)).toBe('a5');
    for (const end of [3, 4, 5]) await endAt(end, 61);
    await Promise.all(all);
  });

  it('remembers for a minute whose last read took long, also of users who have nothing to do', async () => {
    let now = 0;
    const reads = { atOnce: 2, inAll: 10, longMs: 50 };
    const { reads: turns } = fairShare({ atOnce: 2, waiting: 10, reads, clock: () => now });
    const { started, ends, work } = held();
    const begin = (names: readonly string[]) => {
      const all = names.map((name) => turns(name.slice(0, 1), work(name)));
      return { begun: started.splice(0), all };
    };
    const endAll = async ({ all }: ReturnType<typeof begin>, ms: number) => {
      while (ends.length > 0) {
        now += ms;
        ends.splice(0).forEach((end) => void end());
        await settled();
      }
      await Promise.all(all);
      started.splice(0);
    };
    const first = begin(['a1', 'a2', 'b1', 'b2']);
    expect(first.begun).toEqual(['a1', 'a2', 'b1', 'b2']);
    await endAll(first, 51);
    const again = begin(['a3', 'a4', 'c1', 'c2']);
    expect(again.begun).toEqual(['a3', 'c1', 'c2']);
    await endAll(again, 51);
    now += 59_999;
    const later = begin(['a5', 'a6', 'b3', 'b4']);
    expect(later.begun).toEqual(['a5', 'b3', 'b4']);
    // Both are quick.
    await endAll(later, 0);
    const quick = begin(['a7', 'a8']);
    expect(quick.begun).toEqual(['a7', 'a8']);
    await endAll(quick, 51);
    now += 60_000;
    expect(begin(['a9', 'a0']).begun).toEqual(['a9', 'a0']);
  });

  it('refuses what waits too long, as too much of the user unless others have the turns, and accepts again later', async () => {
    const { reads, changes } = fairShare({ atOnce: 2, waiting: 10, reads: { atOnce: 2, inAll: 2 } });
    const { started, ends, work } = held();
    const running = [reads('a', work('a1')), reads('a', work('a2'))];
    const until = performance.now() + 30;
    const refusals = await Promise.allSettled([
      reads('a', work('a3'), { until }),
      changes('a', work('a4'), { until: until - 20 }),
      reads('b', work('b1'), { until: until - 10 }),
      reads('c', work('c1'), { until: until - 60 }),
    ]);
    expect(refusals.map((one) => 'reason' in one && [one.reason.name, one.reason.retryAfter])).toEqual([
      ['TooManyRequests', 1],
      ['TooManyRequests', 1],
      ['Unavailable', 1],
      ['Unavailable', 1],
    ]);
    const next = [changes('a', work('a5')), reads('b', work('b2'), { until: performance.now() + 60_000 })];
    for (const end of [0, 1, 2, 3]) {
      ends[end]?.();
      await settled();
    }
    await Promise.all([...running, ...next]);
    expect(started).toEqual(['a1', 'a2', 'a5', 'b2']);
  });

  it('passes on the turn of work that fails', async () => {
    const { changes: turns } = fairShare({ atOnce: 1, waiting: 1, reads: none });
    const failing = turns('a', () => Promise.reject(new Error('no')));
    const next = turns('a', async () => 'done');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('done');
    expect(await turns('a', async () => 'again')).toBe('again');
  });

  it('refuses what is more than may wait, except what waits without end, and accepts again later', async () => {
    const { changes: turns } = fairShare({ atOnce: 1, waiting: 1, reads: none });
    const { ends, work } = held();
    const inTime = { until: performance.now() + 60_000 };
    const accepted = [turns('a', work('a1'), inTime), turns('a', work('a2'), inTime)];
    const tooMany = { name: 'TooManyRequests', retryAfter: 1 };
    await expect(turns('a', work('a3'), inTime)).rejects.toMatchObject(tooMany);
    accepted.push(turns('a', work('a4')));
    for (const end of [0, 1, 2]) {
      ends[end]?.();
      await settled();
    }
    expect(await Promise.all(accepted)).toEqual(['a1', 'a2', 'a4']);
    expect(await turns('a', async () => 'later', inTime)).toBe('later');
  });

  it('leaves room for others of a user when nobody wants what waits any longer', async () => {
    const { reads: turns, waiting } = fairShare({ atOnce: 2, waiting: 1, reads: { atOnce: 2, inAll: 1 } });
    const { started, ends, work } = held();
    const inTime = { until: performance.now() + 60_000 };
    const running = turns('a', work('a1'), inTime);
    const leaving = new AbortController();
    const left = turns('a', work('a2'), { ...inTime, signal: leaving.signal });
    expect(waiting()).toBe(1);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ name: 'Unavailable' });
    expect(waiting()).toBe(0);
    const next = turns('a', work('a3'), inTime);
    ends[0]?.();
    await settled();
    ends[1]?.();
    expect(await Promise.all([running, next])).toEqual(['a1', 'a3']);
    expect(started).toEqual(['a1', 'a3']);
  });

  it('takes a user whose last read took long for fast only after a read that is done', async () => {
    let now = 0;
    const reads = { atOnce: 2, inAll: 10, longMs: 50 };
    const { reads: turns } = fairShare({ atOnce: 2, waiting: 10, reads, clock: () => now });
    const { started, ends, work } = held();
    const slow = turns('a', work('a1'));
    now = 51;
    ends[0]?.();
    await slow;
    await expect(turns('a', () => Promise.reject(new Error('left')))).rejects.toThrow('left');
    const all = ['a2', 'a3'].map((name) => turns('a', work(name)));
    expect(started).toEqual(['a1', 'a2']);
    for (const end of [1, 2]) {
      ends[end]?.();
      await settled();
    }
    await Promise.all(all);
  });
});
