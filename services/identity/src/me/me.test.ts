import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { peopleIn } from '../../test/people.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { someone, now } = peopleIn(identity);

const changed = async (id: number) =>
  (await identity.published()).filter(
    ({ type, data }) => type === 'crm.identity.user.changed' && data.user_id === id,
  );

describe('the profile of the caller', () => {
  it('is changed field by field, and shown to the user and to others at once', async () => {
    const user = await someone({ first_name: 'Ada', last_name: 'Byron' });
    const { me, users } = identity.as(user);
    const before = await me.get({});
    expect(before).toMatchObject({ phone: null, first_name: 'Ada' });
    const after = await me.patch({ last_name: 'Lovelace', timezone: 'Asia/Kolkata' });
    expect(after).toEqual({
      ...before,
      last_name: 'Lovelace',
      timezone: 'Asia/Kolkata',
      timezone_offset: 5,
      modified_at: after.modified_at,
    });
    expect(await identity.as(await now(user.id)).me.get({})).toEqual(after);
    expect(await users.get({ id: user.id })).toMatchObject({ last_name: 'Lovelace', timezone_offset: 5 });
    expect(await me.patch({ first_name: null })).toMatchObject({ first_name: null, last_name: 'Lovelace' });
  });

  it.each([
    ['(415) 555-2671', '+14155552671'],
    ['415.555.2671', '+14155552671'],
    ['1 415 555 2671', '+14155552671'],
    ['+44 20 7946 0958', '+442079460958'],
    ['', null],
    [null, null],
  ])('stores the phone number %j as %j', async (given, stored) => {
    const user = await someone();
    const { me } = identity.as(user);
    await me.patch({ phone: '+15035550191' });
    expect(await me.patch({ phone: given })).toMatchObject({ phone: stored });
    expect(await identity.asSystem.users.byIds({ ids: [user.id] })).toMatchObject([{ phone: stored }]);
  });

  it.each([
    ['phone', '12'],
    ['phone', 'ask at the desk'],
    ['phone', '(415) 555-2671 ext. 5'],
    ['timezone', 'Mars/Olympus'],
    ['timezone', '+02:00'],
    ['first_name', 'x'.repeat(256)],
  ])('refuses the %s %j, and changes nothing', async (field, value) => {
    const user = await someone({ first_name: 'Ada' });
    const { me } = identity.as(user);
    const before = await me.get({});
    await expect(me.patch({ last_name: 'Changed', [field]: value })).rejects.toMatchObject({
      name: 'BadRequest',
      errors: { [field]: expect.stringMatching(/^must /) },
    });
    expect(await me.get({})).toEqual(before);
    expect(await changed(user.id)).toEqual([]);
  });

  it('says which alerts the user wants, initially all, and other services see changes at once', async () => {
    const user = await someone();
    const { me } = identity.as(user);
    expect(await me.get({})).toMatchObject({ has_text_alerts: true, has_call_alerts: true });
    const quiet = { has_text_alerts: false, has_call_alerts: true };
    expect(await me.patch({ has_text_alerts: false })).toMatchObject(quiet);
    expect(await identity.asSystem.users.byIds({ ids: [user.id] })).toMatchObject([quiet]);
  });

  it('is published with the id only, once for each change', async () => {
    const user = await someone();
    const { me } = identity.as(user);
    await me.patch({ first_name: 'Ada' });
    await me.patch({ phone: '(415) 555-2671' });
    const events = await changed(user.id);
    expect(events.map(({ data, aggregateversion }) => [data, aggregateversion])).toEqual([
      [{ user_id: user.id }, 2],
      [{ user_id: user.id }, 3],
    ]);
    expect(JSON.stringify(events)).not.toMatch(/Ada|5552671/);
  });

  it('keeps changes of different fields made at the same time', async () => {
    const { me } = identity.as(await someone());
    const changes = [{ first_name: 'Ada' }, { last_name: 'Byron' }, { phone: '+14155552671' }];
    await Promise.all(changes.map((change) => me.patch(change)));
    expect(await me.get({})).toMatchObject(Object.assign({}, ...changes));
  });
});
