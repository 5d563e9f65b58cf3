import { describe, expect, it } from 'vitest';
import { waker } from './waker.ts';

describe('a waker', () => {
  it('ends the next wait when it is woken after the clearing, while work is looked for', async () => {
    const { wake, clear, wait } = waker();
    clear();
    wake();
    const begun = performance.now();
    await wait(10_000);
    expect(performance.now() - begun).toBeLessThan(1_000);
  });

  it('ends a wait under way, and otherwise waits its time', async () => {
    const { wake, clear, wait } = waker();
    const begun = performance.now();
    await wait(50);
    expect(performance.now() - begun).toBeGreaterThan(45);
    clear();
    setTimeout(wake, 50);
    await wait(10_000);
    expect(performance.now() - begun).toBeLessThan(1_000);
  });
});
