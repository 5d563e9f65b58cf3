import { vi } from 'vitest';

/** Repeats an expectation until it succeeds or the time is up; then its failure is thrown. */
export const until = (expectation: () => Promise<void>): Promise<void> =>
  vi.waitFor(expectation, { timeout: 60_000, interval: 100 });
