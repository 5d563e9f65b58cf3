import { describe, expect, it } from 'vitest';
import { waker } from './waker.ts';

describe('a waker', () => {
  it('ends the next wait if it is woken after `clear`, while looking for work', async () => {
    const { wake, clear, wait } = waker();
    clear();
    wake();
    const started = performance.now();
    await wait(10_000);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it('ends the current wait, and otherwise waits for the given time', async () => {
    const { wake, clear, wait } = waker();
    const started = performance.now();
    await wait(50);
    expect(performance.now() - started).toBeGreaterThan(45);
    clear();
    setTimeout(wake, 50);
    await wait(10_000);
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
