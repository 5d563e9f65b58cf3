import { vi } from 'vitest';

/** Repeats an expectation until it holds or the time is up; then its failure is thrown. */
export const until = (expectation: () => Promise<void>, timeout = 10_000): Promise<void> =>
  vi.waitFor(expectation, { timeout, interval: 100 });
