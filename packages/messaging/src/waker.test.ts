import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { waker } from './waker.ts';

/** Longer than any test: a wait that does not end fails by its timeout. */
const days = 7 * 86_400_000;

describe('a waker', () => {
  it('ends the next wait if it is woken after `clear`, while looking for work', async () => {
    const { wake, clear, wait } = waker();
    clear();
    wake();
    await wait(days);
  });

  it('ends the current wait, and otherwise waits for the given time', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { wake, clear, wait } = waker();
    const isOver = vi.fn();
    const waiting = wait(50).then(isOver);
    await vi.advanceTimersByTimeAsync(49);
    expect(isOver).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(isOver).toHaveBeenCalled();
    await waiting;
    clear();
    setTimeout(wake, 50);
    const woken = wait(days);
    await vi.advanceTimersByTimeAsync(50);
    await woken;
  });
});
