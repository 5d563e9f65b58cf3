import { expect, it } from 'vitest';
import { keep, mostKept } from './ledger.ts';

it('keeps a number of messages, and of more the newest', () => {
  const kept = new Map<string, number>();
  for (let place = 0; place < mostKept + 3; place++) keep(kept, `${place}`, place);
  keep(kept, '3', -1);
  expect(kept.size).toBe(mostKept);
  expect([...kept].slice(0, 2)).toEqual([
    ['3', -1],
    ['4', 4],
  ]);
});
