import { expect, it } from 'vitest';
import { untilFewer } from './query.ts';

it.each([
  { rows: 5, portions: [2, 2, 1] },
  { rows: 4, portions: [2, 2, 0] },
  { rows: 0, portions: [0] },
])('$rows rows are changed by two, until fewer are left', async ({ rows, portions }) => {
  let left = rows;
  const changed: number[] = [];
  await untilFewer(2, async (most) => {
    const portion = Math.min(most, left);
    left -= portion;
    changed.push(portion);
    return Array.from({ length: portion });
  });
  expect(changed).toEqual(portions);
});
