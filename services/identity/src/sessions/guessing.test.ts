import { hashOfToken, system } from '@crm/auth';
import { emFor, queryIn } from '@crm/data';
import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { peopleIn } from '../../test/people.ts';
import { visitorOf } from '../../test/visitor.ts';
import { settleAttempt } from './sign-in.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { someone } = peopleIn(identity);
const { users, signIn, account } = identity.asSystem;

const password = 'long enough';
async function someEmail() {
  const { id } = await someone({ password });
  const [{ email } = { email: '' }] = await users.byIds({ ids: [id] });
  return { id, email };
}
const visitor = () => visitorOf(identity);

describe('a visitor', () => {
  it('leaves nothing in the database until somebody signs in', async () => {
    const rowsStored = () =>
      identity.rows(`select table_name, (xpath('//c/text()', query_to_xml(
          format('select count(*) as c from %I', table_name), false, true, '')))[1]::text as count
        from information_schema.tables where table_schema = current_schema() order by table_name`);
    const before = await rowsStored();
    expect(before.length).toBeGreaterThan(20);
    const ada = visitor();
    for (let n = 0; n < 3; n++) {
      const { headers } = await ada.get(account.show);
      expect((await ada.get(signIn.show, String(headers.location).split('?')[1])).status).toBe(200);
    }
    expect(await rowsStored()).toEqual(before);
  });
});

describe('guessing', () => {
  const guess = (who: ReturnType<typeof visitor>, email: string) => who.signIn(email, 'a wrong guess');
  /** Simulates a network with too many failures. */
  const exhaust = ({ address }: ReturnType<typeof visitor>) =>
    identity.rows('update sign_in_failures set level = 40 where subject_hash = $1', [
      hashOfToken(`network ${address}`),
    ]);
  const hashOf = (id: number) => identity.rows('select password_hash from users where id = $1', [id]);
  const waitingQuery = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%users%'`;
  const levelOf = async () =>
    (await identity.rows('select max(level)::float8 as level from sign_in_failures'))[0]?.level;

  it('at one account causes a growing delay from the fifth failure on, even for the right password', async () => {
    const { email } = await someEmail();
    for (let failure = 0; failure < 5; failure++) expect((await guess(visitor(), email)).status).toBe(422);
    // Simulates that no time has passed since, or this many seconds.
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
    // A success resets the failures.
    for (let failure = 0; failure < 5; failure++) expect((await guess(visitor(), email)).status).toBe(422);
  });

  it('by others does not delay a browser that has signed in before, until it is forgotten', async () => {
    const { email } = await someEmail();
    const [ada, another] = [visitor(), visitor()];
    await ada.signIn(email, password);
    ada.cookies.delete('__Host-session');
    for (let failure = 0; failure < 5; failure++) await guess(visitor(), email);
    expect((await visitor().signIn(email, password)).status).toBe(429);
    another.cookies.set('__Host-device', 'd'.repeat(43));
    expect((await another.signIn(email, password)).status).toBe(429);
    // In any network, even if the guesses came from the same one.
    await guess(ada, 'colleague@example.com');
    await exhaust(ada);
    expect((await guess(ada, 'colleague@example.com')).status).toBe(429);
    expect((await ada.signIn(email, password)).status).toBe(303);
    ada.cookies.delete('__Host-session');
    for (let failure = 0; failure < 5; failure++) expect((await guess(ada, email)).status).toBe(422);
    expect((await ada.signIn(email, password)).status).toBe(429);
    await identity.rows('delete from sign_in_failures where level < 5.5');
    await identity.rows('delete from known_devices');
    for (let failure = 0; failure < 5; failure++) await guess(visitor(), email);
    expect((await ada.signIn(email, password)).status).toBe(429);
  });

  it('the right password delays a change of the password until the session exists, and is wrong afterwards', async () => {
    const { id, email } = await someEmail();
    const request = { address: '192.0.2.1', headers: {} };
    const checked = { id, password_hash: String((await hashOf(id))[0]?.password_hash) };
    const changed = await emFor(identity.database.orm, system).transactional(async (em) => {
      expect(await settleAttempt(queryIn(em), { email, request }, checked)).toEqual({ userId: id });
      const changing = users.changePassword({ user: id, password: 'another password' });
      await expect.poll(() => identity.rows(waitingQuery)).not.toEqual([]);
      return { changing };
    });
    await changed.changing;
    const late = await emFor(identity.database.orm, system).transactional((em) =>
      settleAttempt(queryIn(em), { email, request }, checked),
    );
    expect(late).toBe('wrong');
  });

  it('is also counted for accounts that do not exist', async () => {
    const email = 'no.such.person@example.com';
    for (let failure = 0; failure < 5; failure++) expect((await guess(visitor(), email)).status).toBe(422);
    expect(await guess(visitor(), email)).toMatchObject({ status: 429 });
  });

  it('at many accounts from one network also causes a delay', async () => {
    const eve = visitor();
    const statuses = [];
    for (let failure = 0; failure < 31; failure++)
      statuses.push((await guess(eve, `victim${failure}@example.com`)).status);
    expect(statuses.slice(0, 30)).toEqual(Array(30).fill(422));
    expect(statuses[30]).toBe(429);
    expect(await guess(visitor(), 'other@example.com')).toMatchObject({ status: 422 });
  });

  it('at other accounts is not forgiven when the network signs in with an account of its own', async () => {
    const { email } = await someEmail();
    const eve = visitor();
    for (let failure = 0; failure < 30; failure++) await guess(eve, `victim${failure}@example.net`);
    // Simulates that the delay has passed.
    await identity.rows("update sign_in_failures set last_failed_at = last_failed_at - interval '4 s'");
    expect((await eve.signIn(email, password)).status).toBe(303);
    eve.cookies.clear();
    expect((await guess(eve, 'victim@example.net')).status).toBe(422);
    expect((await guess(eve, 'victim@example.net')).status).toBe(429);
  });

  it('over many connections from one host does not keep others from signing in', async () => {
    const owners = await Promise.all(Array.from({ length: 8 }, someEmail));
    const eve = visitor();
    const [, signedIn] = await Promise.all([
      Promise.all(Array.from({ length: 24 }, (_, n) => guess(eve, `nobody${n}@example.com`))),
      Promise.all(owners.map(({ email }) => visitor().signIn(email, password))),
    ]);
    expect(signedIn.map(({ status }) => status)).toEqual(Array(8).fill(303));
  });

  it('that is refused leaves no record', async () => {
    const eve = visitor();
    await identity.rows('delete from sign_in_failures');
    await guess(eve, 'target@example.com');
    await exhaust(eve);
    const before = await identity.rows('select * from sign_in_failures order by subject_hash');
    for (let n = 0; n < 3; n++) expect((await guess(eve, `fresh${n}@example.com`)).status).toBe(429);
    expect(await identity.rows('select * from sign_in_failures order by subject_hash')).toEqual(before);
  });

  it('concurrently is counted one by one, and too many attempts at once are refused', async () => {
    const { email } = await someEmail();
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
});
