import { hashOfToken } from '@crm/auth';
import { networkOf } from '@crm/service';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { visitorOf } from '../../test/visitor.ts';
import { levelAfterFailure, patienceWithAccount, secondsToWait } from './sign-in-delay.ts';
import { forgetOldFailures } from './sign-in-failure.queries.ts';

const identity = await identityUnderTest();
afterAll(identity.close);

const visitor = () => visitorOf(identity);

describe('the delay', () => {
  it('never shrinks with more failures, is at most a quarter of an hour, and ends', () => {
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

describe('guessing', () => {
  const guess = (who: ReturnType<typeof visitor>, email: string) => who.signIn(email, 'a wrong guess');
  it('is remembered for a day', async () => {
    await identity.rows('delete from sign_in_failures');
    for (const email of ['late@example.com', 'early@example.com']) await guess(visitor(), email);
    const [late, early] = ['late', 'early'].map((name) => hashOfToken(`account ${name}@example.com`));
    const failed = (hash: string | undefined, ago: string) =>
      identity.rows(
        'update sign_in_failures set last_failed_at = now() - $2::interval where subject_hash = $1',
        [hash, ago],
      );
    await failed(late, '23 hours');
    await failed(early, '25 hours');
    await forgetOldFailures(identity.rows);
    const kept = await identity.rows(
      'select subject_hash from sign_in_failures where subject_hash = any($1)',
      [[late, early]],
    );
    expect(kept).toEqual([{ subject_hash: late }]);
  });
});
