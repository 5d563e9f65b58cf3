import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sharesOf, takeTurns } from './turns.ts';

const senders = fc.uniqueArray(
  fc.nat({ max: 1_000 }).map((id) => id + 1),
  { minLength: 1, maxLength: 40 },
);

describe('senders who take turns', () => {
  it('share all slots evenly', () => {
    fc.assert(
      fc.property(senders, fc.integer({ min: 1, max: 200 }), fc.nat(1_000), (ids, room, last) => {
        const shares = sharesOf(ids, room, last);
        expect(shares.reduce((sum, { max }) => sum + max, 0)).toBe(room);
        const sizes = shares.map(({ max }) => max);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        expect(shares).toHaveLength(Math.min(ids.length, room));
      }),
    );
  });

  it('have each had a turn after as many turns as they need', async () => {
    await fc.assert(
      fc.asyncProperty(senders, fc.integer({ min: 1, max: 20 }), async (ids, room) => {
        const due = ids.map((send_from_user_id) => ({ type: 'Email Contact' as const, send_from_user_id }));
        const turns = takeTurns(async () => due);
        const served = new Set<number>();
        for (let turn = 0; turn < Math.ceil(ids.length / room); turn++)
          for (const share of await turns.next({ 'Email Contact': room })) served.add(share.owner ?? 0);
        expect([...served].toSorted()).toEqual(ids.toSorted());
      }),
    );
  });

  it('are looked for again when a turn found less than there were slots for', async () => {
    let looks = 0;
    const turns = takeTurns(async () => {
      looks += 1;
      return [{ type: 'Text Contact', send_from_user_id: 5 }];
    });
    await turns.next({ 'Text Contact': 5 });
    await turns.next({ 'Text Contact': 5 });
    expect(looks).toBe(1);
    turns.forget();
    await turns.next({ 'Text Contact': 5 });
    expect(looks).toBe(2);
  });
});
