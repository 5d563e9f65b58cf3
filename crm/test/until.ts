import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats an expectation until it holds or the time is up; then its failure is thrown. */
export async function until(expectation: () => Promise<void>, patienceMs = 10_000): Promise<void> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await expectation();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(100);
    }
  }
}
