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

  it('waits for further calls after a batch, if they are to share one', async () => {
    const batches: number[][] = [];
    const note = async (items: readonly number[]) => {
      batches.push([...items]);
      return items;
    };
    const work = batched(note, { everyMs: 300 });
    await work(1);
    const second = work(2);
    await new Promise(setImmediate);
    await Promise.all([second, work(3)]);
    expect(batches).toEqual([[1], [2, 3]]);
  });

  it.each([
    [false, 'fulfilled'],
    [true, 'rejected'],
  ])(
    'fails only for the call that fails alone, unless the whole batch does: %s',
    async (isShared, others) => {
      const work = batched(
        async (items: readonly string[]) => {
          if (items.includes('bad')) throw new Error('It failed.');
          return items;
        },
        { isShared: () => isShared },
      );
      const outcomes = await Promise.allSettled([work('good'), work('bad'), work('fine')]);
      expect(outcomes.map(({ status }) => status)).toEqual([others, 'rejected', others]);
      expect(await work('better')).toBe('better');
    },
  );

  it('is not held back for longer than a patience by a batch that is not done', async () => {
    const work = batched(
      (items: readonly string[]) =>
        items.includes('never') ? new Promise<readonly string[]>(() => undefined) : Promise.resolve(items),
      { patienceMs: 20 },
    );
    void work('never');
    await new Promise(setImmediate);
    expect(await Promise.all([work('one'), work('two')])).toEqual(['one', 'two']);
  });

  it('is done alone and at once for calls that are to be', async () => {
    const batches: string[][] = [];
    let isAlone = false;
    const work = batched(
      (items: readonly string[]) => {
        batches.push([...items]);
        return items.includes('never')
          ? new Promise<readonly string[]>(() => undefined)
          : Promise.resolve(items);
      },
      { isAlone: () => isAlone },
    );
    void work('never');
    await new Promise(setImmediate);
    void work('later');
    isAlone = true;
    expect(await work('alone')).toBe('alone');
    expect(batches).toEqual([['never'], ['alone']]);
  });
});
