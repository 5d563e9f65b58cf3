import type { User } from '@crm/auth';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';
import { peopleOf, reasonToSee, type World, worlds } from '../../test/world.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

interface StoredWorld {
  readonly people: readonly User[];
  /** The ids of the contacts, in the order they were drawn. */
  readonly ids: readonly number[];
}

/** Writes a world to the database, without checking who may assign or share what. */
async function store(world: World): Promise<StoredWorld> {
  const people = peopleOf(world);
  const idOf = (index: number | null) => (index === null ? null : (people[index]?.id ?? null));
  const rows = await contacts.rows(
    `insert into contacts (owner_user_id, assigned_user_id, shared_user_ids, created_at, modified_at)
     select (c->>'owner')::int, (c->>'assignee')::int,
       array(select jsonb_array_elements_text(c->'shared')::int), now(), now()
     from jsonb_array_elements($1::jsonb) with ordinality as drawn (c, position) order by position returning id`,
    [
      JSON.stringify(
        world.contacts.map(({ owner, assignee, sharedWith }) => ({
          owner: idOf(owner),
          assignee: idOf(assignee),
          shared: sharedWith.map(idOf),
        })),
      ),
    ],
  );
  const ids = rows.map(({ id }) => Number(id));
  await contacts.rows(
    `insert into addresses (contact_id, city, created_at, modified_at) select unnest($1::int[]), 'Reno', now(), now()`,
    [ids],
  );
  await contacts.rows(
    `insert into events (user_id, contact_id, source, type, created_at, modified_at)
     select 1, unnest($1::int[]), 'api', 'seen', now(), now()`,
    [ids],
  );
  return { people, ids };
}

const found = (outcome: Promise<unknown>) => outcome.then(() => true).catch(() => false);

/** Whether a user sees a contact through each operation that reads it. */
async function readingsOf(user: User, id: number) {
  const { contacts: api, addresses, shares, events } = contacts.as(user);
  return {
    get: await found(api.get({ id })),
    find: (await api.find({ id })).total === 1,
    access: (await api.access({ ids: [id] })).length === 1,
    addresses: await found(addresses.find({ contact_id: id })),
    shares: await found(shares.find({ contact_id: id })),
    events: (await events.find({ contact_id: id, teams: true })).total === 1,
  };
}

describe('the visibility of contacts', () => {
  it('follows from teams, broker, assignment and shares in every list, and from nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const { people, ids } = await store(world);
        for (const [person, user] of people.entries()) {
          const reasons = world.contacts.map((contact) => reasonToSee(world, person, contact));
          const expected = ids.filter((_, index) => reasons[index] !== undefined);
          const page = await contacts.as(user).contacts.find({ $limit: 1000 });
          expect(page.data.map(({ id }) => id)).toEqual(expected);
          expect(page.total).toBe(expected.length);
          expect((await contacts.as(user).contacts.find({ $limit: 0 })).total).toBe(expected.length);

          const { events } = contacts.as(user);
          const withTeams = await events.find({ teams: true, $limit: 1000 });
          expect(withTeams.data.map((event) => event.contact_id)).toEqual(expected);
          const without = await events.find({ $limit: 1000 });
          expect(without.data.map((event) => event.contact_id)).toEqual(
            ids.filter((_, index) => !['team', undefined].includes(reasons[index])),
          );
        }
      }),
      { numRuns: 12 },
    );
  });

  it('is the same in every operation on one contact', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, fc.nat(), fc.nat(), async (world, someone, some) => {
        const { people, ids } = await store(world);
        const person = someone % people.length;
        const index = some % ids.length;
        const [user, id, contact] = [people[person], ids[index], world.contacts[index]];
        if (!user || id === undefined || !contact) throw new Error('The world is empty.');
        const seen = reasonToSee(world, person, contact) !== undefined;
        expect(await readingsOf(user, id)).toEqual({
          get: seen,
          find: seen,
          access: seen,
          addresses: seen,
          shares: seen,
          events: seen,
        });
      }),
      { numRuns: 60 },
    );
  });

  it('on a static list is evaluated at each request', async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const { people, ids } = await store(world);
        const [anna] = people;
        if (!anna) throw new Error('The world is empty.');
        const { staticLists, staticListContacts } = contacts.as(anna);
        const list = await staticLists.create({ list_name: 'Everyone' });
        await contacts.rows(
          'insert into static_list_contacts (static_list_id, contact_id, added_at) select $1, unnest($2::int[]), now()',
          [list.id, ids],
        );
        const expected = ids.filter((_, index) => {
          const contact = world.contacts[index];
          return contact && reasonToSee(world, 0, contact) !== undefined;
        });
        const page = await staticListContacts.find({ static_list_id: list.id, $limit: 1000 });
        expect({ ids: page.data.map(({ id }) => id), total: page.total }).toEqual({
          ids: expected,
          total: expected.length,
        });
      }),
      { numRuns: 12 },
    );
  });
});
