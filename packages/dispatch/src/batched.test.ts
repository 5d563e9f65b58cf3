import { describe, expect, it } from 'vitest';
import { batched } from './batched.ts';

describe('batched work', () => {
  it('is done at once for all calls that arrived meanwhile, each with its own result', async () => {
    const batches: number[][] = [];
    const double = batched(async (items: readonly number[]) => {
      batches.push([...items]);
      await new Promise(setImmediate);
      return items.map((item) => 2 * item);
    });
    const first = double(1);
    await new Promise<void>((resolve) => queueMicrotask(resolve));
    const later = [double(2), double(3)];
    expect(await Promise.all([first, ...later])).toEqual([2, 4, 6]);
    expect(batches).toEqual([[1], [2, 3]]);
  });

  it('fails only for the calls of a batch that failed', async () => {
    const work = batched(async (items: readonly string[]) => {
      if (items.includes('bad')) throw new Error('It failed.');
      return items;
    });
    await expect(Promise.all([work('good'), work('bad')])).rejects.toThrow('It failed.');
    expect(await work('better')).toBe('better');
  });
});
