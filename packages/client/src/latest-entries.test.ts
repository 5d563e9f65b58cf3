import { expect, it } from 'vitest';
import { setLatest } from './latest-entries.ts';

it('the latest entries are kept, and the one that was set longest ago is forgotten', () => {
  const entries = new Map<string, number>();
  for (const [at, key] of ['one', 'two', 'one', 'three'].entries()) setLatest(entries, key, at, 2);
  expect([...entries]).toEqual([
    ['one', 2],
    ['three', 3],
  ]);
});
