import { routes } from '@crm/gateway';
import { afterAll, describe, expect, it } from 'vitest';
import { inShape } from './contract/in-shape.ts';
import { madeTogether } from './contract/known.ts';
import { changesOf, fullDraft, newParents, newRecord, resourceCalled } from './contract/records.ts';
import { creatable, pathOf } from './contract/resources.ts';
import type { Answer } from './system/api.ts';
import { shapes, startSystem } from './system.ts';

const minimal = { prefer: 'return=minimal' };
const applied = ({ headers }: Answer) => headers['preference-applied'];

describe.each(shapes)('%s: a client that prefers minimal responses', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);
  const anna = await system.person({ is_broker: true });

  it.each(inShape(shape, creatable))('gets no body for changes of $name', async (resource) => {
    const collection = pathOf(resource.create, await newParents(anna, resource));
    const draft = await fullDraft(anna, resource);
    const added = await anna.api.post(collection, draft, minimal);
    const { location = '', etag } = added.headers;
    expect([added.status, added.body, applied(added)]).toEqual([201, {}, 'return=minimal']);
    const read = await anna.api.get(location);
    expect([read.status, read.headers.etag, location]).toEqual([200, etag, `${collection}/${read.body.id}`]);
    if (resource.patch) {
      const changes = changesOf(resource, read.body, await fullDraft(anna, resource));
      const changed = await anna.api.patch(location, changes, minimal);
      expect([changed.status, changed.body, applied(changed)]).toEqual([204, {}, 'return=minimal']);
      expect((await anna.api.get(location)).headers.etag).toBe(changed.headers.etag);
    }
    if (!resource.remove) return;
    const removed = await anna.api.delete(location, minimal);
    expect([removed.status, removed.body, applied(removed)]).toEqual([204, {}, 'return=minimal']);
    expect((await anna.api.get(location)).status).toBe(404);
  });

  it('still gets what it asks for, errors, and what it cannot read again', async () => {
    const both = { prefer: 'foo; bar="a, b", handling=strict, return="minimal"' };
    const { path } = await newRecord(anna, resourceCalled('tags'));
    const read = await anna.api.get(path, minimal);
    expect([read.status, applied(read), read.body.content]).toEqual([200, undefined, expect.any(String)]);
    const refused = await anna.api.patch(path, { nonsense: 1 }, both);
    expect([refused.status, applied(refused), refused.body.name]).toEqual([
      400,
      'handling=strict',
      'BadRequest',
    ]);
    const changed = await anna.api.patch(path, { content: 'renamed' }, both);
    expect([changed.status, applied(changed)]).toEqual([204, 'handling=strict, return=minimal']);
    const whole = await anna.api.patch(path, {}, { prefer: 'return=representation, return=minimal' });
    expect([whole.status, applied(whole), whole.body.content]).toEqual([200, undefined, 'renamed']);
    const list = await newRecord(anna, resourceCalled('staticLists'));
    const { id } = await newRecord(anna, resourceCalled('contacts'));
    const listed = await anna.api.post(`${list.path}/contacts`, { contacts_list: [id] }, minimal);
    expect([listed.status, applied(listed), listed.body.contact_id]).toEqual([201, undefined, id]);
  });
});

describe('records that are added', () => {
  it('are all tested, if they can be read', () => {
    const read = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path));
    const adding = routes.filter(({ method, path }) => method === 'POST' && read.has(`${path}/:id`));
    const names = new Set(adding.map(({ procedure }) => procedure.split('.')[0] ?? ''));
    expect(names.difference(new Set(madeTogether))).toEqual(new Set(creatable.map(({ name }) => name)));
  });
});
