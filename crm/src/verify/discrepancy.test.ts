import { expect, it } from 'vitest';
import { gather } from './discrepancy.ts';

it('discrepancies found in portions are counted and fixed as a whole, with the first five as examples', async () => {
  async function* portions() {
    yield [1, 2, 3];
    yield [];
    yield [4, 5, 6, 7];
  }
  const about = { service: 'contacts', what: 'odd rows', advice: 'Repair them.' } as const;
  const repairEven = async (found: readonly number[]) => found.filter((one) => one % 2 === 0).length;
  const examples = ['1', '2', '3', '4', '5'];
  expect(await gather(about, portions(), String, repairEven)).toEqual([
    { ...about, count: 7, examples, repaired: 3 },
  ]);
  expect(await gather(about, portions(), String, undefined)).toMatchObject([{ count: 7, repaired: 0 }]);
});
