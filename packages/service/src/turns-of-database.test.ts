import { expect, it } from 'vitest';
import { turnsOfDatabase } from './turns-of-database.ts';

const never = () => new Promise<never>(() => {});
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Which work of a user has begun, while what was begun before does not end. */
function begunBy(turns: ReturnType<typeof turnsOfDatabase>) {
  const begun: string[] = [];
  const begin = (kind: 'reads' | 'changes', user: string, name: string) =>
    void turns[kind](user, () => {
      begun.push(name);
      return never();
    });
  return { begun, begin };
}

it('reads that wait, for others or their own user, keep no change of their user from its turn', async () => {
  const { begun, begin } = begunBy(turnsOfDatabase());
  for (const user of ['a', 'a', 'b', 'b', 'c', 'c', 'd']) begin('reads', user, `a read of ${user}`);
  for (const nth of [1, 2, 3, 4]) begin('reads', 'd', `read ${nth}`);
  for (const nth of [1, 2, 3, 4]) begin('changes', 'd', `change ${nth}`);
  await settled();
  expect(begun.slice(7)).toEqual(['change 1', 'change 2', 'change 3']);
});

it('changes of a user that run or wait keep no turn from the reads of others', async () => {
  const { begun, begin } = begunBy(turnsOfDatabase());
  for (const user of ['a', 'b', 'c', 'd']) {
    for (const nth of [1, 2, 3, 4, 5]) begin('changes', user, `change ${nth} of ${user}`);
    for (const nth of [1, 2]) begin('reads', user, `read ${nth} of ${user}`);
  }
  begin('reads', 'e', 'read of e');
  await settled();
  expect(begun).toHaveLength(17);
  expect(begun.at(-1)).toBe('read of e');
});

it('work of one user begins in its order as far as each kind has turns', async () => {
  const { reads, changes, waiting } = turnsOfDatabase();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  const all = [
    reads('a', work('r1')),
    reads('a', work('r2')),
    reads('a', work('r3')),
    changes('a', work('c1')),
    changes('a', work('c2')),
    changes('a', work('c3')),
    reads('a', work('r4')),
    changes('a', work('c4')),
  ];
  expect([begun.splice(0), waiting()]).toEqual([['r1', 'r2', 'c1', 'c2'], 0]);
  // A read ends: both kinds have a turn, and the read came first.
  ends[0]?.();
  await settled();
  expect(begun.splice(0)).toEqual(['r3']);
  // A change ends: only changes have a turn.
  ends[2]?.();
  await settled();
  expect(begun.splice(0)).toEqual(['c3']);
  for (let end = 0; end < all.length; end++) {
    ends[end]?.();
    await settled();
  }
  await Promise.all(all);
  expect([begun, waiting()]).toEqual([['r4', 'c4'], 0]);
});
