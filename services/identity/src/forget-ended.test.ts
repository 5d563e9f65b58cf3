import type { WorkerContext } from '@crm/service';
import { afterEach, expect, it, vi } from 'vitest';
import { forgetting } from './forget-ended.ts';

afterEach(() => void vi.useRealTimers());

it('a failed deletion does not prevent the others', async () => {
  vi.useFakeTimers();
  const [deleted, failures]: [string[], unknown[]] = [[], []];
  const fails = async () => {
    throw new Error('It takes too long.');
  };
  const works = async () => void deleted.push('sessions');
  const context = {
    database: { query: async () => [] },
    log: { error: (facts: unknown) => failures.push(facts) },
  } as unknown as WorkerContext;
  const worker = await forgetting('forget', [fails, works])(context);
  await vi.advanceTimersByTimeAsync(600_000);
  await worker.stop();
  expect(deleted.length).toBeGreaterThan(0);
  expect(failures[0]).toMatchObject({ worker: 'forget', part: 'fails' });
});
