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

const password = 'correct horse battery';
let count = 0;
const someUser = () => identity.asSystem.users.create({ email: `person${++count}@example.com`, password });
/** From a network of its own, so that failures of one test do not slow another. */
const visitor = () => visitorOf(identity, `198.51.100.${++count}`);

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

describe('guessing', () => {
  const guess = (who: ReturnType<typeof visitor>, email: string) => who.signIn(email, 'a wrong guess');
  const levelOf = async () =>
    (await identity.rows('select max(level)::float8 as level from sign_in_failures'))[0]?.level;

  it('at one account costs a growing delay from the fifth failure on, also for the right password', async () => {
    const { email } = await someUser();
    for (let failure = 0; failure < 5; failure++) expect((await guess(visitor(), email)).status).toBe(422);
    // As if no time passed since, or as much as it costs.
    const passed = (seconds: number) =>
      identity.rows(
        "update sign_in_failures set last_failed_at = clock_timestamp() + interval '1 hour' - $1 * interval '1 s'",
        [seconds === 0 ? 0 : 3600 + seconds],
      );
    await passed(0);
    const refused = await visitor().signIn(email, password);
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '4' } });
    expect(refused.body).toContain('Too many attempts. Please wait 4 seconds');
    await passed(4);
    expect((await guess(visitor(), email)).status).toBe(422);
    await passed(0);
    expect(await visitor().signIn(email, password)).toMatchObject({
      status: 429,
      headers: { 'retry-after': '8' },
    });
    await passed(8);
    expect(await visitor().signIn(email, password)).toMatchObject({ status: 303 });
    // A success forgives what came before.
    for (let failure = 0; failure < 5; failure++) expect((await guess(visitor(), email)).status).toBe(422);
  });

  it('is counted alike for accounts that do not exist', async () => {
    const email = 'no.such.person@example.com';
    for (let failure = 0; failure < 5; failure++) expect((await guess(visitor(), email)).status).toBe(422);
    expect(await guess(visitor(), email)).toMatchObject({ status: 429 });
  });

  it('at many accounts from one network costs a delay too', async () => {
    const eve = visitor();
    const statuses = [];
    for (let failure = 0; failure < 31; failure++)
      statuses.push((await guess(eve, `victim${failure}@example.com`)).status);
    expect(statuses.slice(0, 30)).toEqual(Array(30).fill(422));
    expect(statuses[30]).toBe(429);
    expect(await guess(visitor(), 'other@example.com')).toMatchObject({ status: 422 });
  });

  it('at once is counted one by one: none is free, and too many at once are turned away', async () => {
    const { email } = await someUser();
    await identity.rows('delete from sign_in_failures');
    const answers = await Promise.all(Array.from({ length: 24 }, () => guess(visitor(), email)));
    const wrong = answers.filter(({ status }) => status === 422);
    expect(wrong.length).toBeLessThanOrEqual(5);
    expect(wrong.length).toBeGreaterThan(0);
    expect(
      answers.every(({ status, headers }) => status === 422 || (status === 429 && headers['retry-after'])),
    ).toBe(true);
    expect(await levelOf()).toBeCloseTo(wrong.length, 1);
  });

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
