import { system } from '@crm/auth';
import { emFor, queryIn } from '@crm/data';
import { someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';
import { addUpTotal, ownersWithChanges, ownersWithoutBase } from './contact-total.queries.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);
const { rows } = contacts;
const { query, orm } = contacts.database;

const addUp = (owner: number) => emFor(orm, system).transactional((em) => addUpTotal(queryIn(em), owner));

const insert = (owner: number, count = 1) =>
  rows(
    `insert into contacts (owner_user_id, first_name, created_at, modified_at)
     select $1, 'Ann', now(), now() from generate_series(1, $2::int) returning id`,
    [owner, count],
  );

/** What the sums of an owner say, the contacts that there are, and what a list says. */
async function numbersOf(owner: number) {
  const [row] = await rows(
    `select (select sum(contacts)::int from contact_totals where owner_user_id = $1) as sum,
       (select count(*)::int from contacts where owner_user_id = $1) as contacts`,
    [owner],
  );
  const { total } = await contacts.as(someone({ id: owner })).contacts.find({ $limit: 1 });
  return { ...row, total };
}
const all = (number: number) => ({ sum: number, contacts: number, total: number });

const basesOf = (owner: number) =>
  rows('select contacts::int, is_base from contact_totals where owner_user_id = $1', [owner]);

describe('the total of an owner', () => {
  it('is a sum from the same moment as the list, whatever adds, removes or moves contacts', async () => {
    const [anna, ben] = [contacts.as(someone({ id: 11 })), 12];
    const { id } = await anna.contacts.create({ first_name: 'First' });
    await addUp(11);
    await anna.contacts.create({ first_name: 'Second' });
    await insert(11, 5);
    expect(await numbersOf(11)).toEqual(all(7));
    await anna.contacts.remove({ id });
    await rows('delete from contacts where id in (select id from contacts where owner_user_id = 11 limit 2)');
    expect(await numbersOf(11)).toEqual(all(4));
    await rows(
      'update contacts set owner_user_id = $1 where id in (select min(id) from contacts where owner_user_id = 11)',
      [ben],
    );
    await addUp(ben);
    expect([await numbersOf(11), await numbersOf(ben)]).toEqual([all(3), all(1)]);
    await addUp(11);
    expect(await basesOf(11)).toEqual([{ contacts: 3, is_base: true }]);
    expect(await numbersOf(11)).toEqual(all(3));
  });

  it('is not counted once it was added up', async () => {
    await insert(15, 2);
    await addUp(15);
    await rows('insert into contact_totals (owner_user_id, contacts, is_base) values (15, 5, false)');
    expect(await numbersOf(15)).toEqual({ sum: 7, contacts: 2, total: 7 });
    await rows('delete from contact_totals where owner_user_id = 15');
    expect(await numbersOf(15)).toMatchObject({ total: 2 });
  });

  it('is counted for whoever has contacts from before, until a worker has found them', async () => {
    await insert(21, 3);
    await rows('delete from contact_totals where owner_user_id = 21');
    await insert(21);
    expect(await numbersOf(21)).toMatchObject({ contacts: 4, total: 4 });
    expect(await ownersWithoutBase(query)).toContain(21);
    expect(await ownersWithChanges(query)).toContain(21);
    await addUp(21);
    expect(await numbersOf(21)).toEqual(all(4));
    expect(await ownersWithoutBase(query)).not.toContain(21);
    expect(await ownersWithChanges(query)).not.toContain(21);
    for (let change = 0; change < 100; change++) await insert(21);
    expect(await ownersWithChanges(query)).toContain(21);
  });

  it('is the sum of those of a team', async () => {
    await insert(31, 2);
    await insert(32, 3);
    await addUp(31);
    const actor = someone({ id: 31, teammate_ids: [32, 33], sharing_teammate_ids: [32, 33] });
    const find = async () => (await contacts.as(actor).contacts.find({ $limit: 1 })).total;
    expect(await find()).toBe(5);
    await addUp(32);
    expect(await find()).toBe(5);
    expect((await contacts.as(actor).contacts.find({ first_name: 'Ann', $limit: 1 })).total).toBe(5);
    expect((await contacts.as(actor).contacts.find({ first_name: 'Bob', $limit: 1 })).total).toBe(0);
  });

  it('is right after several have added it up while contacts were added and removed', async () => {
    const owner = 41;
    await insert(owner, 20);
    let isOver = false;
    const changing = [1, 2, 3].map(async () => {
      for (let round = 0; round < 25; round++) {
        const [added] = await insert(owner, 2);
        await rows('delete from contacts where id = $1', [added?.id]);
      }
    });
    const adding = [1, 2, 3].map(async () => {
      while (!isOver) await addUp(owner);
    });
    await Promise.all(changing);
    isOver = true;
    await Promise.all(adding);
    expect(await numbersOf(owner)).toEqual(all(95));
    expect(await basesOf(owner)).toEqual([{ contacts: 95, is_base: true }]);
  });

  it('does not outlive the contacts when all are removed at once', async () => {
    await insert(51, 2);
    await addUp(51);
    await rows('truncate contacts cascade');
    await insert(51);
    expect(await numbersOf(51)).toEqual(all(1));
  });
});
