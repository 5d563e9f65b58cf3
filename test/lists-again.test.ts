import { afterAll, describe, expect, it } from 'vitest';
import { writableFields } from './contract/fields.ts';
import { inShape } from './contract/in-shape.ts';
import { changesOf, fullDraft, newRecord, resourceCalled } from './contract/records.ts';
import { creatable } from './contract/resources.ts';
import { shapes, startSystem } from './system.ts';

const contacts = resourceCalled('contacts');

/** Contacts are the records whose JSON a process keeps. Here the others change, with those that they have above them. */
describe.each(shapes)('%s: contacts that were listed before are listed as they are', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);

  it.each(inShape(shape, creatable))('after a change of $name', async (resource) => {
    const anna = await system.person({ is_broker: true });
    const { path, body, id } = await newRecord(anna, resource, await fullDraft(anna, resource));
    const references = writableFields(contacts.create).filter(({ target }) => target === resource.name);
    const referring = Object.fromEntries(references.map(({ name }) => [name, id]));
    await newRecord(anna, contacts, await fullDraft(anna, contacts, referring));
    const listed = async () => (await anna.api.list('/contacts?$limit=100')).data;
    const { patch, remove } = resource;
    const changes = [
      ...(patch
        ? [async () => anna.api.patch(path, changesOf(resource, body, await fullDraft(anna, resource)))]
        : []),
      ...(remove ? [() => anna.api.delete(path)] : []),
    ];
    for (const change of changes) {
      // The first one is read in full, and so is the second, which says that the next will be known.
      for (let time = 1; time <= 3; time++) await listed();
      expect((await change()).status).toBe(200);
      for (const contact of await listed())
        expect((await anna.api.get(`/contacts/${contact.id}`)).body).toEqual(contact);
    }
  });
});
