import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { writableFields } from './contract/fields.ts';
import { inShape } from './contract/in-shape.ts';
import { replaced } from './contract/known.ts';
import { fullDraft, newParents, newRecord, next, resourceCalled } from './contract/records.ts';
import { creatable, pathOf } from './contract/resources.ts';
import type { Answer, Json } from './system/api.ts';
import { type Person, shapes, startSystem } from './system.ts';

const resourcesByName = new Set(creatable.map(({ name }) => name));

const replayed = ({ headers }: Answer) => headers['idempotency-replayed'];

describe.each(shapes)('%s: an Idempotency-Key', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);
  const [anna, bert] = [await system.person({ is_broker: true }), await system.person({ is_broker: true })];

  describe.each(inShape(shape, creatable))('of $name', (resource) => {
    const collections = new Map<Person, Promise<string>>();
    const collectionOf = async (person: Person) =>
      pathOf(resource.create, await newParents(person, resource));
    const place = async (person: Person) => {
      const collection = await collections.getOrInsertComputed(person, collectionOf);
      return {
        collection,
        total: async () => (await person.api.list(`${collection}?$limit=0`)).total,
        post: (body: unknown, key: string) => person.api.post(collection, body, { 'idempotency-key': key }),
      };
    };

    it('creates one record for a repeated request, and repeats the response', async () => {
      const { post, total } = await place(anna);
      const [before, key, draft] = [await total(), randomUUID(), await fullDraft(anna, resource)];
      const first = await post(draft, key);
      const contents = await system.contents();
      const again = await post(reordered(draft), key);
      expect([first.status, again.status]).toEqual([201, 201]);
      expect(again.body).toEqual(first.body);
      expect([replayed(first), replayed(again)]).toEqual([undefined, 'true']);
      expect(await total()).toBe(before + 1);
      expect(await system.contents()).toEqual(contents);
    });

    it('repeats the first response even if the record was changed or removed since', async () => {
      const { post, collection } = await place(anna);
      const [key, draft] = [randomUUID(), await fullDraft(anna, resource)];
      const first = await post(draft, key);
      await anna.api.delete(`${collection}/${first.body.id}`);
      expect((await post(draft, key)).body).toEqual(first.body);
    });

    it('on DELETE and PATCH gets the first response again, and changes nothing more', async () => {
      const { id, path } = await newRecord(anna, resource);
      const [removing, changing] = [{ 'idempotency-key': randomUUID() }, { 'idempotency-key': randomUUID() }];
      if (resource.patch && !replaced.includes(resource.name)) {
        const first = await anna.api.patch(path, {}, changing);
        const contents = await system.contents();
        const again = await anna.api.patch(path, {}, changing);
        expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
        expect([replayed(first), replayed(again)]).toEqual([undefined, 'true']);
        expect(await system.contents()).toEqual(contents);
      }
      if (!resource.remove) return;
      const first = await anna.api.delete(path, removing);
      const again = await anna.api.delete(path, removing);
      expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
      expect(first.body.id).toBe(id);
      expect([replayed(first), replayed(again)]).toEqual([undefined, 'true']);
      expect((await anna.api.delete(path)).status).toBe(404);
    });

    it('is rejected with another body', async () => {
      const { post, total } = await place(anna);
      const [before, key] = [await total(), randomUUID()];
      expect((await post(await fullDraft(anna, resource), key)).status).toBe(201);
      const another = await fullDraft(anna, resource);
      const contents = await system.contents();
      const other = await post(another, key);
      expect(other).toMatchObject({ status: 422, body: { name: 'Unprocessable' } });
      expect(await total()).toBe(before + 1);
      expect(await system.contents()).toEqual(contents);
    });

    it('belongs to one user', async () => {
      const key = randomUUID();
      const [annas, berts] = [await place(anna), await place(bert)];
      const one = await annas.post(await fullDraft(anna, resource), key);
      const other = await berts.post(await fullDraft(bert, resource), key);
      expect([one.status, other.status]).toEqual([201, 201]);
      expect(replayed(other)).toBeUndefined();
      expect(other.body.id).not.toBe(one.body.id);
    });

    it('is not consumed by a malformed request', async () => {
      const { post } = await place(anna);
      const key = randomUUID();
      const broken = Object.fromEntries(writableFields(resource.create).map(({ name }) => [name, { no: 1 }]));
      const before = await system.contents();
      expect((await post(broken, key)).status).toBe(400);
      expect((await post('{', key)).status).toBe(400);
      expect(await system.contents()).toEqual(before);
      expect((await post(await fullDraft(anna, resource), key)).status).toBe(201);
    });

    it('is not consumed by a read-only token', async () => {
      const { post, collection } = await place(anna);
      const key = randomUUID();
      const reader = await system.token(anna, 'read');
      const draft = await fullDraft(anna, resource);
      const refused = await reader.api.post(collection, draft, { 'idempotency-key': key });
      expect(refused.status).toBe(403);
      const first = await post(draft, key);
      expect([first.status, replayed(first)]).toEqual([201, undefined]);
    });

    it('must be 1 to 255 printable characters', async () => {
      const { post, total } = await place(anna);
      const before = await total();
      for (const key of ['', 'x'.repeat(256), 'tab\tinside', 'é']) {
        const { status, body } = await post(await fullDraft(anna, resource), key);
        expect({ status, names: Object.keys(body.errors as Json) }, key).toEqual({
          status: 400,
          names: ['Idempotency-Key'],
        });
      }
      expect(await total()).toBe(before);
      expect(
        (await post(await fullDraft(anna, resource), `${'k'.repeat(200)} ${'k'.repeat(54)}`)).status,
      ).toBe(201);
    });

    it('creates exactly one record for ten concurrent requests', async () => {
      const { post, total } = await place(anna);
      const [before, key, draft] = [await total(), randomUUID(), await fullDraft(anna, resource)];
      const persist = async (): Promise<Answer> => {
        for (;;) {
          const answer = await post(draft, key);
          if (answer.status !== 409) return answer;
          expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      };
      const answers = await Promise.all(Array.from({ length: 10 }, persist));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      expect(answers.filter((answer) => replayed(answer) === undefined)).toHaveLength(1);
      expect(await total()).toBe(before + 1);
    });

    it('gets a 409 while another request with it runs', async () => {
      const { post, total } = await place(anna);
      const [before, key, draft] = [await total(), randomUUID(), await fullDraft(anna, resource)];
      const release = await holdTables(resource.service);
      const both = [post(draft, key), post(draft, key)];
      const refused = await Promise.race(both);
      await release();
      expect(refused).toMatchObject({ status: 409, body: { name: 'Conflict' } });
      expect(refused.headers['retry-after']).toMatch(/^[1-9]\d*$/);
      const statuses = (await Promise.all(both)).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([201, 409]);
      expect(await total()).toBe(before + 1);
    });
  });

  const referring = creatable.flatMap((resource) =>
    writableFields(resource.create).flatMap(({ name, target, tolerated, ignored }) =>
      target !== undefined && resourcesByName.has(target) && !tolerated && !ignored
        ? [{ name, resource, target }]
        : [],
    ),
  );

  it.each(referring)('also repeats errors of $name', async ({ name, resource, target }) => {
    const key = { 'idempotency-key': randomUUID() };
    const collection = pathOf(resource.create, await newParents(anna, resource));
    // Ids are assigned in order, so the next one is known before it exists.
    const coming = (await newRecord(anna, resourceCalled(target))).id + 1;
    const draft = await fullDraft(anna, resource, { [name]: coming });
    const first = await anna.api.post(collection, draft, key);
    expect(first.status).toBe(400);
    expect((await newRecord(anna, resourceCalled(target))).id).toBe(coming);
    const before = await system.contents();
    const again = await anna.api.post(collection, draft, key);
    expect({ ...again.body, request_id: '' }).toEqual({ ...first.body, request_id: '' });
    expect(again.status).toBe(400);
    expect(replayed(again)).toBe('true');
    expect(await system.contents()).toEqual(before);
    const fresh = await anna.api.post(collection, draft, { 'idempotency-key': randomUUID() });
    expect(fresh.status).toBe(201);
  });

  it('is not consumed by a refusal that says when to try again', async () => {
    const { id, api } = await system.person();
    await system.rows('identity', "update users set pending_phone = '+16045550177' where id = $1", [id]);
    const ask = (key: string) => api.post('/me/phone/code', {}, { 'idempotency-key': key });
    for (let count = 0; count < 3; count++) expect((await ask(randomUUID())).status).toBe(200);
    const key = randomUUID();
    for (let count = 0; count < 2; count++) {
      const refused = await ask(key);
      expect([refused.status, replayed(refused)]).toEqual([429, undefined]);
    }
    await system.rows('identity', 'delete from phone_codes where user_id = $1', [id]);
    expect((await ask(key)).status).toBe(200);
  });

  it('belongs to one operation', async () => {
    const key = { 'idempotency-key': `shared ${next()}` };
    for (const resource of creatable) {
      const collection = pathOf(resource.create, await newParents(anna, resource));
      const answer = await anna.api.post(collection, await fullDraft(anna, resource), key);
      expect([answer.status, replayed(answer)]).toEqual([201, undefined]);
    }
  });

  /** Blocks all writers of the service's tables until the returned function is called. */
  async function holdTables(service: string): Promise<() => Promise<void>> {
    const schema = service.replaceAll('-', '_');
    const tables = await system.rows(
      service,
      `select relname as name from pg_class
       where relnamespace = to_regnamespace($1) and relkind in ('r', 'p') and not relispartition
         and relname not in ('outbox', 'inbox', 'idempotency_keys')`,
      [schema],
    );
    const client = new pg.Client({ connectionString: system.databaseUrl });
    await client.connect();
    const names = tables.map(({ name }) => `${schema}.${name}`).join(', ');
    const lock = `begin; lock table ${names} in share row exclusive mode`;
    // A worker may hold some of them and wait for others.
    for (let isHeld = false; !isHeld; )
      isHeld = await client.query(lock).then(
        () => true,
        async (error) => {
          await client.query('rollback');
          if (error.code !== deadlock) throw error;
          return false;
        },
      );
    return async () => {
      await client.query('rollback');
      await client.end();
    };
  }
});

/** The SQLSTATE of a deadlock. */
const deadlock = '40P01';

/** The same values in another order. */
const reordered = (draft: Json): Json => Object.fromEntries(Object.entries(draft).reverse());
