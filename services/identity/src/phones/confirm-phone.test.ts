import type { User } from '@crm/auth';
import { startCarriers } from '@crm/delivery/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { identityUnderTest, publicUrl } from '../../test/harness.ts';
import { peopleIn } from '../../test/people.ts';
import { forgetOldCodes } from './phone-code.queries.ts';

const carriers = await startCarriers(publicUrl);
const identity = await identityUnderTest({ carrier: carriers.delivery.carrier });
afterAll(async () => {
  await identity.close();
  await carriers.close();
});
afterEach(() => carriers.carrier.behave(undefined));
const { someone } = peopleIn(identity);

let numbers = 0;
const newNumber = () => `+1415555${2000 + ++numbers}`;
const textsTo = (number: string) => carriers.carrier.texts().filter(({ to }) => to === number);
/** The number of requests to the carrier, which accepts a repeated one only once. */
const requestsTo = async (number: string) => {
  const rows = await identity.rows('select key from phone_codes where phone = $1', [number]);
  const keys = new Set(rows.map(({ key }) => key));
  const received = carriers.carrier.received().filter(({ key }) => keys.has(key));
  return received.reduce((sum, { arrivals }) => sum + arrivals, 0);
};
const codeSentTo = (number: string) => /^\d{6}\b/.exec(textsTo(number).at(-1)?.words ?? '')?.[0] ?? '';
const another = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const meOf = (user: User) => identity.as(user).me;
type Me = ReturnType<typeof meOf>;
const usedNumber = async ({ id }: User) => (await identity.asSystem.users.byIds({ ids: [id] }))[0]?.phone;
const changesOf = async ({ id }: User) =>
  (await identity.published()).filter(
    ({ type, data }) => type === 'crm.identity.user.changed' && data.user_id === id,
  ).length;

/** A user with a number in use who has requested another one. */
async function waiting() {
  const [user, phone] = [await someone({ phone: '+15035550191' }), newNumber()];
  await meOf(user).patch({ phone });
  return { user, me: meOf(user), phone, code: codeSentTo(phone) };
}
const ago = (interval: string, number: string) =>
  identity.rows('update phone_codes set created_at = created_at - $1::interval where phone = $2', [
    interval,
    number,
  ]);

describe('a new phone number', () => {
  it('counts as reachable once it is confirmed, even if it was unreachable before', async () => {
    const phone = newNumber();
    await someone({ phone });
    const at = '2026-03-02T20:00:00.000Z';
    await identity.asSystem.unreachableAddresses.note({ address: phone, why: 'unreachable', at });
    const user = await someone();
    await meOf(user).patch({ phone });
    await meOf(user).confirmPhone({ code: codeSentTo(phone) });
    expect(await identity.asSystem.users.byIds({ ids: [user.id] })).toMatchObject([
      { phone, is_phone_unreachable: false },
    ]);
  });

  it('is used once it is confirmed with the code sent to it', async () => {
    const { user, me, phone, code } = await waiting();
    expect(textsTo(phone)).toHaveLength(1);
    expect(await me.get({})).toMatchObject({ phone: '+15035550191', pending_phone: phone });
    expect(await usedNumber(user)).toBe('+15035550191');
    const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
    const confirmed = { phone, pending_phone: null, pending_phone_problem: null };
    expect(await me.confirmPhone({ code: spaced })).toMatchObject(confirmed);
    expect(await usedNumber(user)).toBe(phone);
    expect(await changesOf(user)).toBe(2);
    await expect(me.confirmPhone({ code })).rejects.toMatchObject({ name: 'Conflict' });
  });

  it('does not await confirmation if it is already in use, is removed, or is set by the operator', async () => {
    const { user, me, phone } = await waiting();
    expect(await me.patch({ phone: '(503) 555-0191' })).toMatchObject({
      phone: '+15035550191',
      pending_phone: null,
    });
    await ago('1 hour', phone);
    await me.patch({ phone });
    expect(await me.patch({ phone: null })).toMatchObject({ phone: null, pending_phone: null });
    await ago('1 hour', phone);
    await me.patch({ phone });
    const given = newNumber();
    await identity.asSystem.users.change({ user: user.id, phone: given });
    expect(await me.get({})).toMatchObject({ phone: given, pending_phone: null });
    expect(textsTo(given)).toEqual([]);
  });

  it('gets no second code when it is repeated with other fields', async () => {
    const { me, phone, code } = await waiting();
    await me.patch({ phone, first_name: 'Ada' });
    expect(await requestsTo(phone)).toBe(1);
    expect(await me.confirmPhone({ code })).toMatchObject({ phone, first_name: 'Ada' });
  });

  it('leaves no code in the database', async () => {
    const { phone, code } = await waiting();
    expect(code).toMatch(/^\d{6}$/);
    const rows = await identity.rows('select * from phone_codes where phone = $1', [phone]);
    expect(JSON.stringify(rows).replaceAll(phone, '')).not.toContain(code);
  });
});

describe('a code', () => {
  it('that is wrong changes nothing, and after five wrong ones even the right one is refused', async () => {
    const { user, me, phone, code } = await waiting();
    for (let attempt = 1; attempt <= 5; attempt++) {
      await expect(me.confirmPhone({ code: another(code) })).rejects.toMatchObject({
        name: 'BadRequest',
        errors: { code: attempt < 5 ? 'is wrong' : expect.stringContaining('no longer valid') },
      });
    }
    await expect(me.confirmPhone({ code })).rejects.toMatchObject({
      errors: { code: expect.stringContaining('no longer valid') },
    });
    expect(await usedNumber(user)).toBe('+15035550191');
    await me.sendPhoneCode({});
    expect(await me.confirmPhone({ code: codeSentTo(phone) })).toMatchObject({ phone });
  });

  it('has only five attempts, even if they come at the same time', async () => {
    const { me, phone, code } = await waiting();
    const guesses = Array.from({ length: 12 }, () => me.confirmPhone({ code: another(code) }));
    await Promise.allSettled(guesses);
    const [row] = await identity.rows('select failed_attempts from phone_codes where phone = $1', [phone]);
    expect(row).toEqual({ failed_attempts: 5 });
  });

  it('is valid for ten minutes', async () => {
    const [late, early] = [await waiting(), await waiting()];
    await ago('10 minutes', late.phone);
    await ago('9 minutes', early.phone);
    await expect(late.me.confirmPhone({ code: late.code })).rejects.toMatchObject({
      errors: { code: expect.stringContaining('has expired') },
    });
    expect(await early.me.confirmPhone({ code: early.code })).toMatchObject({ phone: early.phone });
  });

  it('is replaced by the next one, and is valid for its own number and user only', async () => {
    const [first, other] = [await waiting(), await waiting()];
    await expect(first.me.confirmPhone({ code: other.code })).rejects.toMatchObject({ name: 'BadRequest' });
    const phone = newNumber();
    await first.me.patch({ phone });
    await expect(first.me.confirmPhone({ code: first.code })).rejects.toMatchObject({ name: 'BadRequest' });
    expect(await first.me.confirmPhone({ code: codeSentTo(phone) })).toMatchObject({ phone });
  });

  it('is sent at most three times in ten minutes, per user and per number', async () => {
    const { user, me, phone } = await waiting();
    const tooMany = { name: 'TooManyRequests', retryAfter: expect.any(Number) };
    await me.sendPhoneCode({});
    await me.sendPhoneCode({});
    await expect(me.sendPhoneCode({})).rejects.toMatchObject(tooMany);
    const before = await me.get({});
    await expect(me.patch({ phone: newNumber(), first_name: 'Changed' })).rejects.toMatchObject(tooMany);
    expect(await me.get({})).toEqual(before);
    await expect(meOf(await someone()).patch({ phone })).rejects.toMatchObject(tooMany);
    expect(textsTo(phone)).toHaveLength(3);
    expect(await changesOf(user)).toBe(1);
    await ago('10 minutes', phone);
    await me.sendPhoneCode({});
    expect(textsTo(phone)).toHaveLength(4);
  });

  it('is sent only three times to a number that many users request at once', async () => {
    const phone = newNumber();
    const users = await Promise.all(Array.from({ length: 8 }, () => someone()));
    const answers = await Promise.allSettled(users.map((user) => meOf(user).patch({ phone })));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(textsTo(phone)).toHaveLength(3);
  });

  it.each([
    ['asked for', (me: Me) => me.sendPhoneCode({}, { idempotencyKey: 'later' })],
    ['caused by a change', (me: Me, phone: string) => me.patch({ phone }, { idempotencyKey: 'later' })],
  ])('that is %s too early is sent when the request is repeated with its Idempotency-Key', async (_, ask) => {
    const { me, phone } = await waiting();
    const next = newNumber();
    for (let count = 0; count < 2; count++) await me.sendPhoneCode({});
    await expect(ask(me, next)).rejects.toMatchObject({ name: 'TooManyRequests' });
    await ago('10 minutes', phone);
    const { pending_phone } = await ask(me, next);
    expect([...textsTo(phone), ...textsTo(next)]).toHaveLength(4);
    expect(textsTo(String(pending_phone))).not.toEqual([]);
  });

  it('is forgotten after a day', async () => {
    const [old, recent] = [await waiting(), await waiting()];
    await ago('25 hours', old.phone);
    await ago('23 hours', recent.phone);
    await forgetOldCodes(identity.database.query);
    const kept = await identity.rows('select phone from phone_codes where phone = any($1)', [
      [old.phone, recent.phone],
    ]);
    expect(kept).toEqual([{ phone: recent.phone }]);
    await expect(old.me.confirmPhone({ code: old.code })).rejects.toMatchObject({
      errors: { code: expect.stringContaining('has expired') },
    });
  });

  it('is not sent if no number awaits confirmation', async () => {
    await expect(meOf(await someone()).sendPhoneCode({})).rejects.toMatchObject({ name: 'Conflict' });
  });
});

describe('a carrier', () => {
  it.each([
    ['refuses the number', { answer: 400, body: '{"code":21211,"message":"Invalid number"}' }, 'cannot send'],
    ['accepts no more texts for now', { answer: 429 }, 'could not be sent'],
    ['does not respond', 'break after accepting', 'did not respond'],
  ] as const)(
    'that %s leaves the number unconfirmed, and the profile says why',
    async (_, behaviour, why) => {
      const [user, phone] = [await someone(), newNumber()];
      carriers.carrier.behave(() => behaviour);
      expect(await meOf(user).patch({ phone })).toMatchObject({
        phone: null,
        pending_phone: phone,
        pending_phone_problem: expect.stringContaining(why),
      });
      const [row] = await identity.rows('select reason from phone_codes where phone = $1', [phone]);
      expect(row).toEqual({ reason: expect.stringMatching(/./) });
      carriers.carrier.behave(undefined);
      expect(await meOf(user).sendPhoneCode({})).toMatchObject({ pending_phone_problem: null });
      expect(await meOf(user).confirmPhone({ code: codeSentTo(phone) })).toMatchObject({ phone });
    },
  );

  it('gets a repeated request only once', async () => {
    const { me, phone } = await waiting();
    for (let time = 0; time < 2; time++) await me.sendPhoneCode({}, { idempotencyKey: `again ${phone}` });
    expect(await requestsTo(phone)).toBe(2);
  });
});
