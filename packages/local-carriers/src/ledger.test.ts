import { expect, it } from 'vitest';
import { defaultLimit, keep } from './ledger.ts';

it('a ledger keeps the newest messages up to a limit', () => {
  const kept = new Map<string, number>();
  for (let count = 0; count < defaultLimit + 3; count++) keep(kept, `${count}`, count);
  keep(kept, '3', -1);
  expect(kept.size).toBe(defaultLimit);
  expect([...kept].slice(0, 2)).toEqual([
    ['3', -1],
    ['4', 4],
  ]);
});
