import { agentOf, someone, teammateOf } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';
import { statementsOf } from '../../test/statements-of.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

describe('other services', () => {
  it('learn what a user may do with contacts, and nothing about those the user does not see', async () => {
    const ben = someone();
    const anna = teammateOf(ben);
    const own = (await contacts.as(anna).contacts.create({})).id;
    const given = (await contacts.as(anna).contacts.create({ assigned_user_id: ben.id })).id;
    const shared = (await contacts.as(anna).contacts.create({})).id;
    await contacts.as(anna).shares.create({ contact_id: shared, user_id: ben.id });
    const ids = [own, given, shared, 999_999];

    const rights = async (user: typeof anna) =>
      (await contacts.as(user).contacts.access({ ids })).map(({ id, may }) => [id, may]);
    expect(await rights(anna)).toEqual(
      [own, given, shared].map((id) => [id, ['see', 'change', 'assign', 'remove']]),
    );
    expect(await rights(ben)).toEqual([
      [given, ['see', 'change', 'assign']],
      [shared, ['see', 'change']],
    ]);
    expect(await rights(someone())).toEqual([]);
  });

  it('read names and the contents of messages as the system, and not as a user', async () => {
    const anna = someone();
    const { id } = await contacts.as(anna).contacts.create({
      first_name: 'Bill',
      email: 'bill@example.com',
      mobile_phone: '604-555-4572',
    });
    const { byIds, exportForDispatch } = contacts.asSystem.contacts;
    expect(await byIds({ ids: [id, 999_999] })).toEqual([
      { id, first_name: 'Bill', last_name: null, email: 'bill@example.com' },
    ]);
    expect(await exportForDispatch({ ids: [id] })).toMatchObject([
      { id, owner_user_id: anna.id, mobile_phone_e164: '+16045554572' },
    ]);
    await expect(contacts.as(anna).contacts.byIds({ ids: [id] })).rejects.toMatchObject({
      name: 'Forbidden',
    });
    await expect(contacts.as(anna).contacts.exportForDispatch({ ids: [id] })).rejects.toMatchObject({
      name: 'Forbidden',
    });
  });

  it('find the contacts with a mobile number as the system, however it was written', async () => {
    const anna = someone();
    const { contacts: own } = contacts.as(anna);
    const first = (await own.create({ mobile_phone: '(604) 555-4600' })).id;
    const second = (await contacts.as(someone()).contacts.create({ mobile_phone: '+16045554600' })).id;
    await own.create({ mobile_phone: '604-555-4601', home_phone: '604-555-4600' });
    const { withMobilePhone } = contacts.asSystem.contacts;
    expect(await withMobilePhone({ number: '+16045554600' })).toEqual([first, second]);
    expect(await withMobilePhone({ number: '+16045554699' })).toEqual([]);
    await expect(own.withMobilePhone({ number: '+16045554600' })).rejects.toMatchObject({
      name: 'Forbidden',
    });
  });

  it('learn in one statement which contacts many users see, and the same as these learn themselves', async () => {
    const broker = someone();
    const mates = Array.from({ length: 4 }, () => teammateOf(broker));
    const ids = mates.map(({ id }) => id);
    const users = [
      broker,
      ...mates,
      { ...someone(), sharing_teammate_ids: ids },
      { ...someone(), sharing_teammate_ids: ids.slice(1, 3) },
      agentOf(broker, { is_contact_ownership_enabled: true }),
      agentOf(broker, { is_contact_ownership_enabled: false }),
      someone(),
    ];
    const people = users.map(({ id }) => id);
    const made = await contacts.rows(
      `insert into contacts (owner_user_id, assigned_user_id, shared_user_ids, created_at, modified_at)
       select $1[1 + n % $2], case when n % 3 = 0 then $1[1 + n / 7 % $2] end,
         case when n % 5 = 0 then array[$1[1 + n / 5 % $2], $1[1 + n / 11 % $2]] else '{}' end, now(), now()
       from generate_series(1, 200) n returning id`
        .replaceAll('$1[', '($1::int[])[')
        .replaceAll('$2', '$2::int'),
      [people, people.length],
    );
    const contact_ids = [...made.map(({ id }) => Number(id)), 999_999];
    const viewers = users.map((user, index) => ({ user, contact_ids: contact_ids.slice(index * 5) }));
    const seen: { readonly user_id: number; readonly contact_ids: readonly number[] }[] = [];
    const statements = await statementsOf(contacts.database, async () =>
      seen.push(...(await contacts.asSystem.contacts.seenBy({ viewers }))),
    );
    expect(statements).toHaveLength(1);
    expect(await contacts.asSystem.contacts.seenBy({ viewers: [] })).toEqual([]);
    for (const [index, { user, contact_ids: asked }] of viewers.entries()) {
      const own = await contacts.as(user).contacts.access({ ids: asked });
      expect(seen[index]).toEqual({ user_id: user.id, contact_ids: own.map(({ id }) => id) });
    }
    expect(new Set(seen.map(({ contact_ids }) => contact_ids.length)).size).toBeGreaterThan(3);
  });

  it('find the contacts of a user whose texts wait for a decision, longest waiting first', async () => {
    const anna = someone();
    const { optOuts, contacts: known } = contacts.asSystem;
    const paused = async (user: typeof anna, number: string, at: string) => {
      const { id } = await contacts.as(user).contacts.create({ mobile_phone: number });
      await optOuts.pause({ number, at });
      return id;
    };
    const ten = await paused(anna, '+16045554701', '2026-03-01T10:00:00.000Z');
    const nine = await paused(anna, '+16045554702', '2026-03-01T09:00:00.000Z');
    await paused(anna, '+16045554703', '2026-03-01T08:00:00.000Z');
    await optOuts.resume({ number: '+16045554703', at: '2026-03-01T11:00:00.000Z' });
    await paused(someone(), '+16045554704', '2026-03-01T07:00:00.000Z');
    const ids = async (limit: number) =>
      (await known.withPausedTexts({ user: anna, limit })).map(({ id }) => id);
    expect(await ids(100)).toEqual([nine, ten]);
    expect(await ids(1)).toEqual([nine]);
  });
});
