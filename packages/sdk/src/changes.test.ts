import { expect, it } from 'vitest';
import { changes } from './changes.ts';

/** Reads a list without changes for the given number of polls, and then stops reading. */
async function readsOf(count: number, polls: number): Promise<number> {
  const reading = new AbortController();
  const data = Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    modified_at: new Date(Date.UTC(2026, 0, 1) + index).toISOString(),
  }));
  let left = polls;
  const readPage = async () => {
    if (left-- === 0) reading.abort(new Error('enough'));
    reading.signal.throwIfAborted();
    return { limit: count, data, next: null };
  };
  let shown = 0;
  const follow = async () => {
    for await (const _ of changes({}, { everyMs: 1, signal: reading.signal }, readPage)) shown += 1;
  };
  await expect(follow()).rejects.toThrow('enough');
  return shown;
}

it('shows each record once, however many were changed within two minutes', async () => {
  expect(await readsOf(12_000, 3)).toBe(12_000);
});
