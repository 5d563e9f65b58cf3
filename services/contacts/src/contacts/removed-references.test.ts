import { serviceUnderTest } from '@crm/service/testing';
import { openTransaction, someone, untilWaiting } from '@crm/testing';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { contactsApi } from '../api.ts';
import { contactsService } from '../index.ts';
import { clearRemovedReferences } from './clear-removed-references.ts';

// Its worker would do at any moment what these tests do.
const contacts = await serviceUnderTest(contactsApi, { ...contactsService, workers: [] });
afterAll(contacts.close);
beforeEach(() => clearRemovedReferences(contacts.rows));

type Api = ReturnType<typeof contacts.as>;

const kinds = [
  {
    what: 'a hotness',
    field: 'hotness_id',
    shown: 'hotness',
    records: (api: Api) => api.hotnesses,
    table: 'hotnesses',
  },
  {
    what: 'a contact source',
    field: 'source_id',
    shown: 'source',
    records: (api: Api) => api.contactSources,
    table: 'contact_sources',
  },
] as const;

/** Every row of contacts, with its physical location and its last writer. */
const physicalRows = () => contacts.rows('select *, ctid::text, xmin::text from contacts order by id');

describe.each(kinds)('$what that is removed', ({ field, shown, records, table }) => {
  /** Seven contacts that have it, one that has another, and one that has none. */
  const world = async () => {
    const api = contacts.as(someone());
    const [removed, other] = [
      await records(api).create({ name: 'A' }),
      await records(api).create({ name: 'B' }),
    ];
    for (let i = 0; i < 7; i++) await api.contacts.create({ [field]: removed.id });
    await api.contacts.create({ [field]: other.id });
    await api.contacts.create({});
    const { data } = await api.contacts.find({ $limit: 20 });
    return { api, id: removed.id, other: other.id, ids: data.map((contact) => contact.id) };
  };
  /** What lists of contacts and their totals show of it. */
  const seen = async ({ api, id, other }: Awaited<ReturnType<typeof world>>) => {
    const total = async (find: object) => {
      const page = await api.contacts.find({ ...find, $limit: 20 });
      expect(page.data).toHaveLength(page.total);
      return page.total;
    };
    const sorted = await api.contacts.find({ $sort: { [field]: 1 }, $limit: 20 });
    const { text } = await api.exports.contacts({
      filter: { [field]: `${id}` },
      type: 'application/x-ndjson',
    });
    return {
      it: await total({ [field]: id }),
      among: await total({ [field]: [id, other] }),
      amongMany: await total({ [field]: [id, other, 901, 902, 903, 904] }),
      none: await total({ [field]: null }),
      oneOrNone: await total({ [field]: [id, null] }),
      others: await total({ [field]: { $ne: id } }),
      notAmong: await total({ [field]: { $nin: [id, other] } }),
      some: await total({ [field]: { $ne: null } }),
      upTo: await total({ [field]: { $lte: id } }),
      either: await total({ $or: [{ [field]: id }, { last_name: 'nobody' }] }),
      sorted: sorted.data.map((contact) => contact[field]),
      nested: sorted.data.map((contact) => contact[shown]?.name),
      exported: text.split('\n').length - 1,
    };
  };
  const withoutIt = (other: number) => ({
    it: 0,
    among: 1,
    amongMany: 1,
    none: 8,
    oneOrNone: 8,
    others: 9,
    notAmong: 8,
    some: 1,
    upTo: 0,
    either: 0,
    sorted: [other, ...Array.from({ length: 8 }, () => null)],
    nested: ['B', ...Array.from({ length: 8 }, () => undefined)],
    exported: 0,
  });

  it('is on no contact at once, though no contact is written', async () => {
    const made = await world();
    expect(await seen(made)).toMatchObject({
      it: 7,
      among: 8,
      amongMany: 8,
      none: 1,
      others: 2,
      exported: 7,
    });
    const before = await physicalRows();
    expect(await records(made.api).remove({ id: made.id })).toMatchObject({ id: made.id, name: 'A' });
    expect(await physicalRows()).toEqual(before);
    expect(await seen(made)).toEqual(withoutIt(made.other));
    for (const id of made.ids.slice(0, 7))
      expect(await made.api.contacts.get({ id })).toMatchObject({ [field]: null, [shown]: null });
  });

  it('no longer exists, and another with its name can be created', async () => {
    const { api, id } = await world();
    await records(api).remove({ id });
    for (const asked of [() => records(api).get({ id }), () => records(api).remove({ id })])
      await expect(asked()).rejects.toMatchObject({ name: 'NotFound' });
    await expect(records(api).patch({ id, name: 'C' })).rejects.toMatchObject({ name: 'NotFound' });
    expect(await records(api).find({ id })).toMatchObject({ total: 0, data: [] });
    const again = await records(api).create({ name: 'A' });
    expect(again.id).not.toBe(id);
    expect(await api.contacts.find({ [field]: again.id } as object)).toMatchObject({ total: 0 });
    expect(await api.contacts.create({ [field]: again.id })).toMatchObject({ [shown]: { name: 'A' } });
  });

  it('cannot be given to contacts, not even to those that had it', async () => {
    const { api, id, ids } = await world();
    await records(api).remove({ id });
    const refused = { name: 'BadRequest', errors: { [field]: `'${id}' does not exist` } };
    const [first = 0] = ids;
    await expect(api.contacts.create({ [field]: id })).rejects.toMatchObject(refused);
    await expect(api.contacts.patch({ id: first, [field]: id })).rejects.toMatchObject(refused);
    const rows = [{ key: 'one', contact: { [field]: id }, shared_with: [] }];
    expect(await api.importedRows.add({ rows })).toMatchObject([
      { errors: { [field]: refused.errors[field] } },
    ]);
    const { [field]: shownId, first_name } = await api.contacts.get({ id: first });
    expect(await api.contacts.patch({ id: first, first_name, [field]: shownId })).toMatchObject({
      [field]: null,
    });
  });

  it('is taken from its contacts in portions, also if the worker is killed between them', async () => {
    const made = await world();
    await records(made.api).remove({ id: made.id });
    const having = async () =>
      (await contacts.rows(`select from contacts where ${field} = $1`, [made.id])).length;
    for (const left of [5, 3]) {
      let statements = 0;
      const killed: typeof contacts.rows = async (text, values) => {
        if (text.startsWith('update') && ++statements > 1) throw new Error('killed');
        return contacts.rows(text, values);
      };
      await expect(clearRemovedReferences(killed, 2)).rejects.toThrow('killed');
      expect(await having()).toBe(left);
      expect(await seen(made)).toEqual(withoutIt(made.other));
    }
    await clearRemovedReferences(contacts.rows, 2);
    expect(await having()).toBe(0);
    expect(await contacts.rows(`select from ${table} where id = $1`, [made.id])).toEqual([]);
    expect(await seen(made)).toEqual(withoutIt(made.other));
  });

  it('does not wait for a contact that is being changed, and stays hidden until it has been taken from it', async () => {
    const made = await world();
    await records(made.api).remove({ id: made.id });
    await using held = await openTransaction(
      contacts.database,
      'select from contacts where id = $1 for update',
      [made.ids[3]],
    );
    await clearRemovedReferences(contacts.rows, 2);
    expect(await contacts.rows(`select id from contacts where ${field} = $1`, [made.id])).toEqual([
      { id: made.ids[3] },
    ]);
    expect(await seen(made)).toEqual(withoutIt(made.other));
    await held.rollback();
    await clearRemovedReferences(contacts.rows, 2);
    expect(await contacts.rows(`select from ${table} where id = $1`, [made.id])).toEqual([]);
  });

  it('waits for a contact that gets it at the same moment, and is taken from it too', async () => {
    const { api, id } = await world();
    const holder = await contacts.database.pool.connect();
    onTestFinished(() => holder.release(true));
    await holder.query('begin; lock table contacts in share mode');
    const adding = api.contacts.create({ [field]: id });
    await untilWaiting(contacts.rows, [adding]);
    const removing = records(api).remove({ id });
    await untilWaiting(contacts.rows, [adding, removing]);
    await holder.query('rollback');
    const [added] = await Promise.all([adding, removing]);
    expect((await api.contacts.get({ id: added.id }))[field]).toBeNull();
    await clearRemovedReferences(contacts.rows);
    expect(await contacts.rows(`select from contacts where ${field} = $1`, [id])).toEqual([]);
  });

  it('publishes its removal with the next version', async () => {
    const { api, id } = await world();
    await records(api).patch({ id, name: 'C' });
    await records(api).remove({ id });
    const name = `${table === 'hotnesses' ? 'hotness' : 'contact_source'}_id`;
    const events = (await contacts.published()).filter(({ data }) => data[name] === id);
    expect(events.map(({ type, aggregateversion }) => [type.split('.').at(-1), aggregateversion])).toEqual([
      ['created', 1],
      ['changed', 2],
      ['removed', 3],
    ]);
  });
});
