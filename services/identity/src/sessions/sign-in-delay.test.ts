import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { networkOf } from './network.ts';
import { levelAfterFailure, patienceWithAccount, secondsToWait } from './sign-in-delay.ts';

describe('the delay', () => {
  it('never shrinks with failures, is at most a quarter of an hour, and ends', () => {
    const level = fc.double({ min: 0, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(level, level, fc.double({ min: 0, max: 1e6, noNaN: true }), (a, b, quietSeconds) => {
        const [less, more] = a < b ? [a, b] : [b, a];
        const wait = (value: number) => secondsToWait({ level: value, quietSeconds }, patienceWithAccount);
        expect(wait(less)).toBeLessThanOrEqual(wait(more));
        expect(wait(more)).toBeLessThanOrEqual(900);
        expect(
          secondsToWait({ level: more, quietSeconds: wait(more) + quietSeconds }, patienceWithAccount),
        ).toBe(0);
        const after = levelAfterFailure({ level: more, quietSeconds }, patienceWithAccount);
        expect(after).toBeLessThanOrEqual(more + 1);
        expect(after).toBeGreaterThanOrEqual(1);
      }),
    );
  });

  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:0db8:0:0:ffff::', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
  ])('of %s is that of the network %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
