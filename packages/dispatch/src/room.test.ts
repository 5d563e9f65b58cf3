import { expect, it } from 'vitest';
import { roomFor } from './room.ts';

it('a room estimates its throughput from the duration of recent work', () => {
  const room = roomFor(2);
  expect(room.within(2_000)).toBe(4);
  for (let times = 0; times < 100; times += 1) room.took(100);
  expect(room.within(2_000)).toBe(2 * 19);
  for (let times = 0; times < 100; times += 1) room.took(5_000);
  expect(room.within(2_000)).toBe(2);
});

it('a room admits as many tasks as can be served at once, and more only while they finish quickly', async () => {
  const room = roomFor(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const enter = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      room.enter(async () => {
        begun.push(index);
        await new Promise<void>((resolve) => ends.push(resolve));
      }),
    );
  const settled = () => new Promise(setImmediate);
  const all = enter(20);
  await settled();
  expect(begun).toEqual([0, 1]);
  for (let times = 0; times < 100; times += 1) room.took(200);
  ends.shift()?.();
  await settled();
  expect(begun.length - 1).toBe(8);
  for (let times = 0; times < 100; times += 1) room.took(5_000);
  for (const end of ends.splice(0, 7)) end();
  await settled();
  expect(begun.length - 8).toBe(2);
  expect(begun).toEqual(begun.toSorted((a, b) => a - b));
  while (begun.length < 20 || ends.length > 0) {
    ends.shift()?.();
    await settled();
  }
  await Promise.all(all);
});
