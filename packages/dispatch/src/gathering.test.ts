import { describe, expect, it } from 'vitest';
import { gathering } from './gathering.ts';

describe('work that is gathered', () => {
  it('is done at once for all that came meanwhile, and each is answered with its own', async () => {
    const shares: number[][] = [];
    const double = gathering(async (items: readonly number[]) => {
      shares.push([...items]);
      await new Promise(setImmediate);
      return items.map((item) => 2 * item);
    });
    const first = double(1);
    await new Promise<void>((resolve) => queueMicrotask(resolve));
    const later = [double(2), double(3)];
    expect(await Promise.all([first, ...later])).toEqual([2, 4, 6]);
    expect(shares).toEqual([[1], [2, 3]]);
  });

  it('fails for those alone whose share failed', async () => {
    const work = gathering(async (items: readonly string[]) => {
      if (items.includes('bad')) throw new Error('It failed.');
      return items;
    });
    await expect(Promise.all([work('good'), work('bad')])).rejects.toThrow('It failed.');
    expect(await work('better')).toBe('better');
  });
});
