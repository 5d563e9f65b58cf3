import type { PublishedEvent } from '@crm/service/testing';
import { absent, seed } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { plainFields, valueNumbered, writableFields } from './contract/fields.ts';
import { inShape } from './contract/in-shape.ts';
import { fixed, replaced } from './contract/known.ts';
import {
  changesOf,
  fullDraft,
  nestedDraft,
  newParents,
  newRecord,
  newRecordBelow,
  next,
} from './contract/records.ts';
import { creatable, kindsOf, pathOf } from './contract/resources.ts';
import type { Json } from './system/api.ts';
import { shapes, startSystem } from './system.ts';

describe.each(shapes)('%s: changes of', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);
  const anna = await system.person({ is_broker: true });
  const events = async (service: string, work: () => Promise<unknown>): Promise<PublishedEvent[]> => {
    const before = (await system.published(service)).length;
    await work();
    return (await system.published(service)).slice(before);
  };

  describe.each(inShape(shape, creatable))('$name', (resource) => {
    const { service, get, patch, remove } = resource;
    const settled = fixed[resource.name] ?? {};
    const changeable = new Set(patch ? writableFields(patch).map(({ name }) => name) : []);
    const onRecord = [get, patch, remove].filter((route) => route !== undefined);

    it('return the record as a reader gets it', async () => {
      const { path, collection, body, id } = await newRecord(anna, resource, await fullDraft(anna, resource));
      expect(await anna.api.get(path)).toMatchObject({ status: 200, body });
      const listed = await anna.api.list(`${collection}?id=${id}`);
      expect(listed.data).toEqual([body]);
      if (!patch) return;
      const changed = await anna.api.patch(path, await fullDraft(anna, resource));
      expect(changed.status).toBe(200);
      expect((await anna.api.get(path)).body).toEqual(changed.body);
      expect(changed.body).not.toEqual(body);
    });

    if (patch)
      it('to one field alone return the record as a reader gets it', async () => {
        const { path, body } = await newRecord(anna, resource);
        const draft = await fullDraft(anna, resource, await nestedDraft(anna, resource));
        for (const [name, value] of Object.entries(draft)) {
          if (!changeable.has(name)) continue;
          const changed = await anna.api.patch(path, changesOf(resource, body, { [name]: value }));
          expect(changed.status, name).toBe(200);
          expect(changed.body, name).toEqual((await anna.api.get(path)).body);
        }
      });

    if (patch)
      it('without fields keep the record as it is, with a body or without', async () => {
        const { path, body } = await newRecord(anna, resource, await fullDraft(anna, resource));
        // Each change also sets modified_at.
        const { modified_at: _, ...kept } = body;
        const isIncomplete = Object.keys(changesOf(resource, body, {})).length > 0;
        const status = isIncomplete ? 400 : 200;
        for (const sent of [{}, '', undefined]) {
          const changed = await anna.api.send('PATCH', path, sent);
          expect(changed.status).toBe(status);
          if (status === 200) expect(changed.body).toMatchObject(kept);
        }
        expect((await anna.api.get(path)).body).toMatchObject(kept);
      });

    if (remove)
      it('return the removed record, which no longer exists', async () => {
        const { path, collection, body, id } = await newRecord(
          anna,
          resource,
          await fullDraft(anna, resource),
        );
        expect(await anna.api.delete(path)).toMatchObject({ status: 200, body });
        for (const { method } of onRecord) {
          const answer = await anna.api.send(method, path, method === 'PATCH' ? {} : undefined);
          expect(answer).toMatchObject({ status: 404, body: { message: `No record found for id '${id}'` } });
        }
        expect((await anna.api.list(`${collection}?id=${id}`)).total).toBe(0);
      });

    it('happen only if the record matches the query', async () => {
      const { path, body } = await newRecord(anna, resource, await fullDraft(anna, resource));
      const changes = await fullDraft(anna, resource);
      const before = await system.contents();
      for (const [index, name] of [...kindsOf(resource).keys()].entries()) {
        const value = body[name];
        if (value === null) continue;
        const [met, unmet] = ['', '[$ne]'].map(
          (op) => `${path}?${name}${op}=${encodeURIComponent(String(value))}`,
        );
        expect((await anna.api.get(met ?? '')).status, met).toBe(200);
        expect((await anna.api.get(unmet ?? '')).status, unmet).toBe(404);
        // Each is tried with every third field, in another run perhaps with the next ones.
        const turn = (index + seed) % 3;
        if (patch && turn === 0) expect((await anna.api.patch(unmet ?? '', changes)).status).toBe(404);
        if (remove && turn === 1) expect((await anna.api.delete(unmet ?? '')).status).toBe(404);
      }
      for (const query of ['nonsense=1', 'id[$regex]=1', '$or=1']) {
        for (const { method } of onRecord) {
          const sent = method === 'PATCH' ? {} : undefined;
          expect((await anna.api.send(method, `${path}?${query}`, sent)).status, `${method} ${query}`).toBe(
            400,
          );
        }
      }
      expect(await system.contents()).toEqual(before);
      for (const { method } of onRecord) {
        const sent = method === 'PATCH' ? changesOf(resource, body, {}) : undefined;
        expect((await anna.api.send(method, `${path}?id=${body.id}`, sent)).status, method).toBe(200);
      }
    });

    it('return only the selected fields', async () => {
      const { path } = await newRecord(anna, resource, await fullDraft(anna, resource));
      const [field = 'id'] = writableFields(resource.create).map(({ name }) => name);
      expect(Object.keys((await anna.api.get(`${path}?$select=${field}`)).body).sort()).toEqual(
        [field, 'id'].sort(),
      );
      expect((await anna.api.get(`${path}?$select=nonsense`)).status).toBe(400);
    });

    it('publish at least one event each, with increasing versions and the actor', async () => {
      const parents = await newParents(anna, resource);
      const requests = new Set<string>();
      const headers = () => {
        const id = `system-test-${next()}`;
        requests.add(id);
        return { 'x-request-id': id };
      };
      const collection = pathOf(resource.create, parents);
      const [draft, ...drafts] = [
        await fullDraft(anna, resource),
        await fullDraft(anna, resource),
        await fullDraft(anna, resource),
      ];
      const said = await events(service, async () => {
        const created = await anna.api.post(collection, draft, headers());
        const path = `${collection}/${created.body.id}`;
        if (patch) for (const changes of drafts) await anna.api.patch(path, changes, headers());
        if (remove) await anna.api.delete(path, headers());
      });
      expect(new Set(said.map(({ requestid }) => requestid))).toEqual(requests);
      for (const { actor } of said) expect(actor).toBe(`user/${anna.id}`);
      for (const [subject, chain] of Map.groupBy(said, (event) => event.subject)) {
        const versions = chain.map(({ aggregateversion }) => aggregateversion);
        expect(versions, subject).toEqual([...new Set(versions)].sort((a, b) => a - b));
      }
    });

    it('that fail leave no rows and no events', async () => {
      const { path, collection } = await newRecord(anna, resource);
      const changes = await fullDraft(anna, resource);
      const before = await system.contents();
      const broken = Object.fromEntries(writableFields(resource.create).map(({ name }) => [name, { no: 1 }]));
      const record = `${collection}/${absent}`;
      expect((await anna.api.post(collection, broken)).status).toBe(400);
      if (patch) expect((await anna.api.patch(path, broken)).status).toBe(400);
      if (patch) expect((await anna.api.patch(record, changes)).status).toBe(404);
      if (remove) expect((await anna.api.delete(record)).status).toBe(404);
      expect(await system.contents()).toEqual(before);
    });

    if (patch && !replaced.includes(resource.name))
      it('to different fields at the same time are all kept', async () => {
        const fields = plainFields(patch);
        const { path } = await newRecord(anna, resource);
        const drafts = fields
          .filter(({ name }) => !(name in settled))
          .map((field) => ({ [field.name]: valueNumbered(field, next()) }));
        const answers = await Promise.all(drafts.map((draft) => anna.api.patch(path, draft)));
        expect(answers.map(({ status }) => status)).toEqual(drafts.map(() => 200));
        const untimed = Object.assign({}, ...drafts) as Json;
        // Each change also sets modified_at, unless it contains a value for it.
        const { modified_at: _, ...kept } = untimed;
        expect((await anna.api.get(path)).body).toMatchObject(kept);
      });

    const references = writableFields(resource.create).filter(
      ({ kind, tolerated, ignored }) => kind === 'reference' && !tolerated && !ignored,
    );
    if (references.length > 0)
      it('that fail halfway are rolled back completely', async () => {
        const { path, collection } = await newRecord(anna, resource);
        for (const { name, target } of references) {
          expect(target, name).toBeDefined();
          const draft = await fullDraft(anna, resource, { [name]: absent });
          const before = await system.contents();
          expect((await anna.api.post(collection, draft)).status).toBe(400);
          if (changeable.has(name)) expect((await anna.api.patch(path, draft)).status).toBe(400);
          expect(await system.contents()).toEqual(before);
        }
      });

    it('have distinct ids when many are created at the same time', async () => {
      const parents = await newParents(anna, resource);
      const made = await Promise.all(
        Array.from({ length: 8 }, () => newRecordBelow(anna, resource, parents)),
      );
      expect(new Set(made.map(({ id }) => id)).size).toBe(8);
    });
  });
});
