import { randomUUID } from 'node:crypto';
import { routes } from '@crm/gateway';
import { afterAll, describe, expect, it } from 'vitest';
import { inShape } from './contract/in-shape.ts';
import { madeTogether } from './contract/known.ts';
import { fullDraft, newParents, newRecord, resourceCalled } from './contract/records.ts';
import { type Changeable, recordsToChange } from './contract/records-to-change.ts';
import { creatable, pathOf } from './contract/resources.ts';
import type { Answer, Headers } from './system/api.ts';
import { shapes, startSystem } from './system.ts';

const strong = /^"[\w-]{22}"$/;
const tagOf = ({ headers }: Answer): string => String(headers.etag);

describe('records that can be changed', () => {
  it('are all tested', () => {
    const read = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path));
    const changing = routes.filter(({ method, path }) => /PATCH|DELETE/.test(method) && read.has(path));
    const names = new Set(changing.map(({ procedure }) => procedure.split('.')[0]));
    expect(new Set(recordsToChange.map(({ name }) => name))).toEqual(names.difference(new Set(madeTogether)));
  });
});

describe.each(shapes)('%s: an ETag', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);
  const anna = await system.person({ is_broker: true });

  it.each(inShape(shape, creatable))('of $name is the same whoever returns the record', async (resource) => {
    const collection = pathOf(resource.create, await newParents(anna, resource));
    const created = await anna.api.post(collection, await fullDraft(anna, resource));
    const path = `${collection}/${created.body.id}`;
    const read = await anna.api.get(path);
    expect(tagOf(created)).toMatch(strong);
    expect([tagOf(read), tagOf(await anna.api.send('HEAD', path))]).toEqual([tagOf(created), tagOf(created)]);
    expect((await anna.api.list(collection)).data).not.toEqual([]);
    expect((await anna.api.get(collection)).headers.etag).toBeUndefined();
    expect(tagOf(await anna.api.get(`${path}?$select=id`))).not.toBe(tagOf(read));
  });

  describe.each(inShape(shape, recordsToChange))('of $name', ({ make }) => {
    it('answers a read of what the client has with 304', async () => {
      const { path, change, canRemove } = await make(anna);
      const tag = tagOf(await anna.api.get(path));
      for (const known of [tag, `"x", ${tag}`, `W/${tag}`, '*']) {
        const again = await anna.api.get(path, { 'if-none-match': known });
        expect([again.status, tagOf(again), again.body], known).toEqual([304, tag, {}]);
      }
      expect((await anna.api.get(path, { 'if-none-match': '"x"' })).status).toBe(200);
      if (!change) return void expect(canRemove).toBe(true);
      const changed = await anna.api.patch(path, await change());
      expect(tagOf(changed)).not.toBe(tag);
      const newer = await anna.api.get(path, { 'if-none-match': tag });
      expect([newer.status, tagOf(newer)]).toEqual([200, tagOf(changed)]);
    });

    it('lets a change through only while the record has it', async () => {
      const { path, change, canRemove } = await make(anna);
      const tag = tagOf(await anna.api.get(path));
      const body = await change?.();
      const send = (ifMatch: string) => {
        const headers = { 'if-match': ifMatch };
        return body ? anna.api.patch(path, body, headers) : anna.api.delete(path, headers);
      };
      const before = await system.contents();
      for (const other of ['"x"', 'W/"x"', `"${tag.slice(2)}`]) {
        const refused = await send(other);
        const body = { name: 'PreconditionFailed', message: expect.stringContaining('without $select') };
        expect(refused, other).toMatchObject({ status: 412, body });
      }
      expect(await system.contents()).toEqual(before);
      // A proxy that compresses responses makes it weak.
      const known = canRemove ? tag : `W/${tag}`;
      expect((await send(`"x", ${known}`)).status).toBe(200);
      if (!change) return;
      expect((await send('*')).status).toBe(200);
      if (!canRemove) return;
      expect((await anna.api.delete(path, { 'if-match': '"x"' })).status).toBe(412);
      const { status, headers } = await anna.api.get(path);
      expect([status, (await anna.api.delete(path, { 'if-match': String(headers.etag) })).status]).toEqual([
        200, 200,
      ]);
      expect((await anna.api.delete(path, { 'if-match': '*' })).status).toBe(404);
    });

    it('lets exactly one of several changes through', async () => {
      const made = await make(anna);
      const changes = await severalChanges(made);
      const headers = { 'if-match': tagOf(await anna.api.get(made.path)) };
      const answers = await Promise.all(changes.map((send) => send(headers)));
      const done = answers.filter(({ status }) => status === 200);
      expect(
        done.map(({ status }) => status),
        JSON.stringify(answers.map(({ status, body }) => [status, body.message])),
      ).toEqual([200]);
      const lost = answers.filter((answer) => !done.includes(answer));
      // What was removed can no longer be compared.
      for (const { status } of lost) expect([412, ...(made.change ? [] : [404])]).toContain(status);
      const after = await anna.api.get(made.path);
      if (made.change) expect(after.body).toEqual(done[0]?.body);
      else expect(after.status).toBe(404);
    });

    it('does not keep a repeated request from getting its first response', async () => {
      const { path, change } = await make(anna);
      if (!change) return;
      const key = { 'idempotency-key': randomUUID() };
      const body = await change();
      const stale = await anna.api.patch(path, body, { ...key, 'if-match': '"x"' });
      const tag = { 'if-match': tagOf(await anna.api.get(path)) };
      const first = await anna.api.patch(path, body, { ...key, ...tag });
      const again = await anna.api.patch(path, body, { ...key, ...tag });
      expect([stale.status, first.status, again.status]).toEqual([412, 200, 200]);
      expect([again.headers['idempotency-replayed'], again.body]).toEqual(['true', first.body]);
    });
  });

  async function severalChanges({ path, change }: Changeable) {
    if (!change) return Array.from({ length: 4 }, () => (headers: Headers) => anna.api.delete(path, headers));
    const bodies = [await change(), await change(), await change(), await change()];
    return bodies.map((body) => (headers: Headers) => anna.api.patch(path, body, headers));
  }

  it('is not supported where nothing has one, and must be well-formed', async () => {
    const { path, collection } = await newRecord(anna, resourceCalled('tags'));
    const before = await system.contents();
    const refused = [
      await anna.api.post(collection, { content: 'new' }, { 'if-match': '*' }),
      await anna.api.get(collection, { 'if-match': '*' }),
      await anna.api.patch(path, { content: 'new' }, { 'if-match': 'unquoted' }),
      await anna.api.delete(path, { 'if-match': '' }),
    ];
    for (const { status, body } of refused) {
      expect([status, Object.keys(body.errors as object)]).toEqual([400, ['If-Match']]);
    }
    for (const { status, body } of [
      await anna.api.get(path, { 'if-none-match': '"open' }),
      await anna.api.patch(path, {}, { 'if-none-match': '*' }),
    ]) {
      expect([status, Object.keys(body.errors as object)]).toEqual([400, ['If-None-Match']]);
    }
    expect(await system.contents()).toEqual(before);
    expect((await anna.api.get(path, { 'if-match': '"x"' })).status).toBe(412);
    expect((await anna.api.get(collection, { 'if-none-match': '*' })).status).toBe(200);
  });

  it('is no reason to hide that a record does not exist, or that the caller may not change it', async () => {
    const agent = await anna.someoneNew();
    await agent.allows(anna);
    const shared = { user_id: agent.id, user_can_see_broker_hotnesses: true };
    expect((await anna.api.post('/sub-accounts', shared)).status).toBe(201);
    const { path } = await newRecord(anna, resourceCalled('hotnesses'));
    const stale = { 'if-match': '"x"' };
    expect((await agent.api.patch(path, { name: 'Mine' }, stale)).status).toBe(403);
    expect((await (await anna.someoneNew()).api.patch(path, { name: 'Mine' }, stale)).status).toBe(404);
  });

  it('is that of the record as the caller sees it, names of other services included', async () => {
    const { path } = await newRecord(anna, resourceCalled('leadRoutes'));
    const read = await anna.api.get(path);
    const { id } = read.body.campaign as { id: number };
    expect((await anna.api.patch(`/campaigns/${id}`, { name: 'Renamed elsewhere' })).status).toBe(200);
    const stale = await anna.api.patch(path, { filter: 'Buyer' }, { 'if-match': tagOf(read) });
    expect(stale.status).toBe(412);
    const fresh = { 'if-match': tagOf(await anna.api.get(path)) };
    expect((await anna.api.patch(path, { filter: 'Buyer' }, fresh)).status).toBe(200);
  });
});
