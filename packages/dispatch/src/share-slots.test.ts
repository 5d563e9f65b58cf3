import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shareSlots, sharesOf } from './share-slots.ts';

const owners = fc.uniqueArray(
  fc.nat({ max: 1_000 }).map((id) => id + 1),
  { minLength: 1, maxLength: 40 },
);

describe('owners who share slots', () => {
  it('get equal shares of all slots', () => {
    fc.assert(
      fc.property(owners, fc.integer({ min: 1, max: 200 }), fc.nat(1_000), (ids, free, last) => {
        const shares = sharesOf(ids, free, last);
        expect(shares.reduce((sum, { max }) => sum + max, 0)).toBe(free);
        const sizes = shares.map(({ max }) => max);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        expect(shares).toHaveLength(Math.min(ids.length, free));
      }),
    );
  });

  it('are all served after no more rounds than they need', async () => {
    await fc.assert(
      fc.asyncProperty(owners, fc.integer({ min: 1, max: 20 }), async (ids, free) => {
        const due = ids.map((owner) => ({ lane: 'Email', owner }));
        const sharing = shareSlots(async () => due);
        const served = new Set<number>();
        for (let round = 0; round < Math.ceil(ids.length / free); round++)
          for (const share of await sharing.next({ Email: free })) served.add(share.owner ?? 0);
        expect([...served].toSorted()).toEqual(ids.toSorted());
      }),
    );
  });

  it('are searched again when fewer rows were found than there were slots for', async () => {
    let looks = 0;
    const sharing = shareSlots(async () => {
      looks += 1;
      return [{ lane: 'Text', owner: 5 }];
    });
    await sharing.next({ Text: 5 });
    await sharing.next({ Text: 5 });
    expect(looks).toBe(1);
    sharing.forget();
    await sharing.next({ Text: 5 });
    expect(looks).toBe(2);
  });
});
