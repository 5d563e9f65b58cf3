import { absent } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { newRecord, resourceCalled } from './contract/records.ts';
import type { Json } from './system/api.ts';
import { type Person, shapesFor, startSystem } from './system.ts';

describe.each(shapesFor(import.meta))('%s: the contacts of a static list', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);
  const [anna, stranger] = [await system.person(), await system.person()];
  const newContact = async (person: Person) => (await newRecord(person, resourceCalled('contacts'))).id;
  const newList = async (person: Person) => {
    const { path, id } = await newRecord(person, resourceCalled('staticLists'));
    return { id, path: `${path}/contacts` };
  };
  const idsOn = async (path: string) => (await anna.api.list(path)).data.map(({ id }) => id);

  it('are added by one or several ids, and only once', async () => {
    const { id: contact_list_id, path } = await newList(anna);
    const [one, two] = [await newContact(anna), await newContact(anna)];
    const single = await anna.api.post(path, { contacts_list: [one] });
    expect(single).toMatchObject({ status: 201, body: { contact_list_id, contact_id: one } });
    const both = await anna.api.post(path, { contacts_list: [two, String(one)] });
    expect(both.status).toBe(201);
    expect(both.body).toEqual([
      { contact_list_id, contact_id: two },
      { contact_list_id, contact_id: one },
    ]);
    expect(await idsOn(path)).toEqual([one, two]);
    expect(await idsOn(`${path}?id=${two}`)).toEqual([two]);
    const before = await system.contents();
    expect((await anna.api.post(path, { contacts_list: [one, two] })).status).toBe(201);
    expect(await system.contents()).toEqual(before);
  });

  it('are rejected by the field of the ids if these are invalid, and nothing is written', async () => {
    const { path } = await newList(anna);
    const own = await newContact(anna);
    const before = await system.contents();
    for (const contacts_list of [
      undefined,
      null,
      [],
      own,
      String(own),
      {},
      [null],
      ['x'],
      [0],
      [-1],
      [1.5],
      [[own]],
      [own, {}],
      Array.from({ length: 1001 }, () => own),
    ]) {
      const { status, body } = await anna.api.post(path, { contacts_list });
      const names = Object.keys((body.errors ?? {}) as Json).map((name) => name.split('.')[0]);
      expect([status, ...new Set(names)], JSON.stringify(contacts_list)).toEqual([400, 'contacts_list']);
    }
    expect(await system.contents()).toEqual(before);
  });

  it('must belong to the caller, or none is added', async () => {
    const { path } = await newList(anna);
    const [own, foreign] = [await newContact(anna), await newContact(stranger)];
    const before = await system.contents();
    const said = [];
    for (const id of [foreign, absent]) {
      const { status, body } = await anna.api.post(path, { contacts_list: [own, id] });
      expect(status).toBe(400);
      said.push(JSON.stringify([body.message, body.errors]).replaceAll(String(id), '{id}'));
    }
    expect(said[0]).toBe(said[1]);
    expect(await system.contents()).toEqual(before);
  });

  it('cannot be read or added by another user, as if the list did not exist', async () => {
    const { id, path } = await newList(anna);
    await anna.api.post(path, { contacts_list: [await newContact(anna)] });
    const contacts_list = [await newContact(stranger)];
    const before = await system.contents();
    const answers = [];
    for (const list of [id, absent]) {
      const where = `/static-lists/${list}/contacts`;
      for (const { status, body } of [
        await stranger.api.get(where),
        await stranger.api.post(where, { contacts_list }),
      ]) {
        expect(status).toBe(404);
        answers.push(String(body.message).replaceAll(String(list), '{id}'));
      }
    }
    expect(new Set(answers).size).toBe(1);
    expect(await system.contents()).toEqual(before);
  });

  it('are shown flat, as long as they are visible to the caller', async () => {
    const broker = await system.person({ is_broker: true });
    await anna.allows(broker);
    const taken = await broker.api.post('/sub-accounts', {
      user_id: anna.id,
      is_contact_ownership_enabled: true,
    });
    const { path } = await newList(anna);
    const lent = await newContact(broker);
    expect((await anna.api.post(path, { contacts_list: [lent] })).status).toBe(201);
    const [shown = {}] = (await anna.api.list(path)).data;
    const { addresses, hotness, custom_fields, source, ...flat } = (await anna.api.get(`/contacts/${lent}`))
      .body;
    expect(shown).toEqual(flat);
    expect((await broker.api.delete(`/sub-accounts/${taken.body.id}`)).status).toBe(200);
    expect(await anna.api.list(path)).toMatchObject({ total: 0, data: [] });
  });

  it('are removed from it one by one, and only from it', async () => {
    const { id: contact_list_id, path } = await newList(anna);
    const [one, two] = [await newContact(anna), await newContact(anna)];
    await anna.api.post(path, { contacts_list: [one, two] });
    expect(await anna.api.delete(`${path}/${one}`)).toMatchObject({
      status: 200,
      body: { contact_list_id, contact_id: one },
    });
    expect(await idsOn(path)).toEqual([two]);
    expect((await anna.api.get(`/contacts/${one}`)).status).toBe(200);

    const other = await newContact(anna);
    const foreign = await newContact(stranger);
    const before = await system.contents();
    const answers = [];
    for (const id of [one, other, foreign, absent]) {
      const { status, body } = await anna.api.delete(`${path}/${id}`);
      expect(status).toBe(404);
      answers.push(String(body.message).replaceAll(String(id), '{id}'));
    }
    for (const list of [contact_list_id, absent]) {
      const { status, body } = await stranger.api.delete(`/static-lists/${list}/contacts/${two}`);
      expect(status).toBe(404);
      answers.push(String(body.message).replaceAll(String(list), '{id}'));
    }
    expect(new Set(answers).size).toBe(1);
    for (const id of ['x', '0', '1.5']) expect((await anna.api.delete(`${path}/${id}`)).status).toBe(404);
    expect(await system.contents()).toEqual(before);
  });

  it('stay if the list is removed, and leave it if they are removed', async () => {
    const { id, path } = await newList(anna);
    const [one, two] = [await newContact(anna), await newContact(anna)];
    await anna.api.post(path, { contacts_list: [one, two] });
    await anna.api.delete(`/contacts/${one}`);
    expect(await idsOn(path)).toEqual([two]);
    await anna.api.delete(`/static-lists/${id}`);
    expect((await anna.api.get(path)).status).toBe(404);
    expect((await anna.api.get(`/contacts/${two}`)).status).toBe(200);
  });
});
