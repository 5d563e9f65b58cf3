import { system, type User } from '@crm/auth';
import type { CallOptions } from '@crm/client';
import { stillRunning, tooManyAtOnce, unavailable } from '@crm/contract';
import { someone } from '@crm/testing';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { notesApi, notesService, writing } from '../test/notes.ts';
import { serviceUnderTest } from '../test/service-under-test.ts';
import { deleteOldAnswers } from './idempotency.ts';

const service = await serviceUnderTest(notesApi, notesService);
afterAll(service.close);

const notesOf = (user: User) => service.as(user).notes;
const rowsOf = (user: User) =>
  service.rows('select id, text, likes from notes where user_id = $1', [user.id]);

describe('a call', () => {
  it('that is a mutation needs the scope write, and changes nothing without it', async () => {
    const reader = someone({ scopes: ['read'] });
    await expect(notesOf(reader).create({ text: 'a' })).rejects.toMatchObject({ name: 'Forbidden' });
    expect(await rowsOf(reader)).toEqual([]);
    await expect(notesOf(reader).find({})).resolves.toMatchObject({ total: 0 });
  });

  it('that only reads is allowed with the scope write, and refused without any scope', async () => {
    await expect(notesOf(someone({ scopes: ['write'] })).find({})).resolves.toMatchObject({ total: 0 });
    await expect(notesOf(someone({ scopes: [] })).find({})).rejects.toMatchObject({ name: 'Forbidden' });
  });

  it('for the system is refused to users, and one on behalf of a user to the system', async () => {
    await expect(notesOf(someone()).purge({})).rejects.toMatchObject({ name: 'Forbidden' });
    await expect(service.asSystem.notes.purge({})).resolves.toEqual({});
    await expect(service.as(system).notes.create({ text: 'a' })).rejects.toMatchObject({ name: 'Forbidden' });
  });

  it('with an invalid field names it and writes nothing', async () => {
    const anna = someone();
    await expect(notesOf(anna).create({ text: 'eleven chars' })).rejects.toMatchObject({
      name: 'BadRequest',
      message: 'text must have at most 10 characters.',
      reason: 'too_long',
      details: { text: { reason: 'too_long' } },
      errors: { text: 'must have at most 10 characters' },
    });
    expect(await rowsOf(anna)).toEqual([]);
  });

  it('with an invalid id finds nothing', async () => {
    for (const id of ['abc', '1.5', '-1', '0', '99999999999', '１']) {
      await expect(notesOf(someone()).get({ id })).rejects.toMatchObject({
        name: 'NotFound',
        message: `No record found for id '${id}'`,
      });
    }
  });

  it('that is refused after it has written leaves no row and no event', async () => {
    const anna = someone();
    const before = (await service.published()).length;
    await expect(notesOf(anna).create({ text: 'bad' })).rejects.toMatchObject({ errors: { text: 'is bad' } });
    expect(await rowsOf(anna)).toEqual([]);
    expect(await service.published()).toHaveLength(before);
  });

  it('that changes a record builds on concurrent changes', async () => {
    const anna = someone();
    const { id } = await notesOf(anna).create({ text: 'a' });
    await Promise.all(Array.from({ length: 20 }, () => notesOf(anna).like({ id })));
    expect(await notesOf(anna).get({ id })).toMatchObject({ likes: 20 });
  });

  it('is run again after a deadlock, and both succeed', async () => {
    const anna = someone();
    const first = (await notesOf(anna).create({ text: 'a' })).id;
    const second = (await notesOf(anna).create({ text: 'b' })).id;
    const answers = await Promise.all([
      notesOf(anna).swap({ first, second }),
      notesOf(anna).swap({ first: second, second: first }),
    ]);
    expect(Math.max(...answers.map(({ attempts }) => attempts))).toBeGreaterThan(2);
    expect(await rowsOf(anna)).toMatchObject([{ likes: 2 }, { likes: 2 }]);
  });
});

describe('an Idempotency-Key', () => {
  const keyed = { idempotencyKey: 'k-1' };
  /** Only the gateway asks for it, so clients of services have no such option. */
  const asDryRun = (options: CallOptions) => ({ ...options, dryRun: true });

  it('returns the first response again and does nothing', async () => {
    const anna = someone();
    const first = await notesOf(anna).create({ text: 'a' }, keyed);
    expect(await notesOf(anna).create({ text: 'a' }, keyed)).toEqual(first);
    expect(await rowsOf(anna)).toHaveLength(1);
  });

  it('is refused for a different request, and independent for other users and operations', async () => {
    const anna = someone();
    const { id } = await notesOf(anna).create({ text: 'a' }, keyed);
    await expect(notesOf(anna).create({ text: 'b' }, keyed)).rejects.toMatchObject({ name: 'Unprocessable' });
    await expect(notesOf(anna).like({ id }, keyed)).resolves.toMatchObject({ likes: 1 });
    await expect(notesOf(someone()).create({ text: 'b' }, keyed)).resolves.toMatchObject({ text: 'b' });
    expect(await rowsOf(anna)).toHaveLength(1);
  });

  it('of a user is another one than that of a broker who acts as the user', async () => {
    const lee = someone();
    const acting = { ...lee, act: { id: someone().id, delegation_id: 1 } };
    for (const user of [lee, acting, lee, acting]) await notesOf(user).create({ text: 'own' }, keyed);
    expect(await rowsOf(lee)).toHaveLength(2);
  });

  it('allows one of many concurrent requests, which creates one record', async () => {
    const anna = someone();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => notesOf(anna).create({ text: 'slow' }, keyed)),
    );
    const answered = outcomes
      .filter((outcome) => outcome.status === 'fulfilled')
      .map(({ value }) => value.id);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason);
    expect(new Set(answered).size).toBe(1);
    expect(refused.length).toBeGreaterThan(0);
    for (const reason of refused) expect(reason).toMatchObject({ name: 'Conflict', retryAfter: 1 });
    expect(await rowsOf(anna)).toHaveLength(1);
  });

  it('stores a refusal, with the changes of the request rolled back', async () => {
    const anna = someone();
    const refusal = { name: 'BadRequest', errors: { text: 'is bad' } };
    await expect(notesOf(anna).create({ text: 'bad' }, keyed)).rejects.toMatchObject(refusal);
    await expect(notesOf(anna).create({ text: 'bad' }, keyed)).rejects.toMatchObject(refusal);
    expect(await rowsOf(anna)).toEqual([]);
    const stored = await service.rows('select answer, problem from idempotency_keys where actor = $1', [
      `user/${anna.id}`,
    ]);
    expect(stored).toMatchObject([{ answer: null, problem: refusal }]);
  });

  it.each([
    ['says when to try again', () => stillRunning({ retryAfter: 1 })],
    ['is about too many requests', tooManyAtOnce],
    ['is about a part that is unavailable', unavailable],
  ])('does not store a refusal that %s', async (_which, refusal) => {
    const anna = someone();
    onTestFinished(() => void delete writing.after);
    writing.after = () => {
      throw refusal();
    };
    await expect(notesOf(anna).create({ text: 'a' }, keyed)).rejects.toMatchObject({ name: refusal().name });
    delete writing.after;
    await expect(notesOf(anna).create({ text: 'a' }, keyed)).resolves.toMatchObject({ text: 'a' });
    expect(await rowsOf(anna)).toHaveLength(1);
  });

  it('of a request that was carried out or refused gives its response to a dry run as well', async () => {
    const anna = someone();
    const tried = asDryRun(keyed);
    const { id } = await notesOf(anna).create({ text: 'a' }, keyed);
    await notesOf(anna).like({ id });
    expect(await notesOf(anna).create({ text: 'a' }, tried)).toMatchObject({ id, likes: 0 });
    await expect(notesOf(anna).create({ text: 'b' }, tried)).rejects.toMatchObject({ name: 'Unprocessable' });
    const refused = { idempotencyKey: 'k-2' };
    await expect(notesOf(anna).create({ text: 'bad' }, refused)).rejects.not.toHaveProperty('replayed', true);
    await expect(notesOf(anna).create({ text: 'bad' }, asDryRun(refused))).rejects.toMatchObject({
      errors: { text: 'is bad' },
      replayed: true,
    });
    expect(await rowsOf(anna)).toMatchObject([{ id, likes: 1 }]);
  });

  it('is not used up by a dry run', async () => {
    const anna = someone();
    const tried = asDryRun(keyed);
    await notesOf(anna).create({ text: 'a' }, tried);
    await expect(notesOf(anna).create({ text: 'bad' }, tried)).rejects.toMatchObject({ name: 'BadRequest' });
    expect(await notesOf(anna).create({ text: 'b' }, keyed)).toMatchObject({ text: 'b' });
    expect(await rowsOf(anna)).toMatchObject([{ text: 'b' }]);
  });

  it('stores nothing for a request that never reached its transaction', async () => {
    const anna = someone();
    await expect(notesOf(anna).create({ text: 'eleven chars' }, keyed)).rejects.toMatchObject({
      name: 'BadRequest',
    });
    await expect(notesOf(anna).create({ text: 'short' }, keyed)).resolves.toMatchObject({ text: 'short' });
  });

  it('expires after a day', async () => {
    const anna = someone();
    await notesOf(anna).create({ text: 'a' }, keyed);
    await service.rows(
      "update idempotency_keys set created_at = created_at - interval '25 hours' where actor = $1",
      [`user/${anna.id}`],
    );
    await notesOf(anna).create({ text: 'b' }, keyed);
    expect(await rowsOf(anna)).toHaveLength(2);
  });

  it('is remembered for 23 hours, however often old responses are deleted, but not for 25', async () => {
    const anna = someone();
    const later = (hours: number) =>
      deleteOldAnswers(service.database.query, new Date(Date.now() + hours * 3_600_000));
    const first = await notesOf(anna).create({ text: 'a' }, keyed);
    await later(23);
    expect(await notesOf(anna).create({ text: 'a' }, keyed)).toEqual(first);
    await later(25);
    expect(await service.rows('select from idempotency_keys where actor = $1', [`user/${anna.id}`])).toEqual(
      [],
    );
  });

  it.each(['', ' ', 'a\nb', 'x'.repeat(256), 'ключ'])('%j is invalid', async (idempotencyKey) => {
    await expect(notesOf(someone()).create({ text: 'a' }, { idempotencyKey })).rejects.toMatchObject({
      errors: { 'Idempotency-Key': expect.any(String) },
    });
  });
});
