import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { hashOfToken } from '@crm/auth';
import { AuditEventView, fieldKinds } from '@crm/contract';
import { variablePrefix } from '@crm/service/process';
import { absent } from '@crm/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inEachShape } from './contract/budget.ts';
import { inShape } from './contract/in-shape.ts';
import { partsOfAggregates } from './contract/known.ts';
import { expectNoFaults } from './contract/made-up-cursors.ts';
import { fullDraft, newParents, next } from './contract/records.ts';
import { creatable, pathOf } from './contract/resources.ts';
import { walk } from './contract/walk.ts';
import type { Answer, Headers, Json } from './system/api.ts';
import { type Person, shapes, startSystem } from './system.ts';

describe.each(shapes)('%s: the audit log', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);
  const anna = await system.person({ is_broker: true });

  const tokenId = async (token: string) => {
    const text = 'select id from access_tokens where token_hash = $1';
    return (await system.rows('identity', text, [hashOfToken(token)]))[0]?.id;
  };
  /** What a reader is shown of some work, oldest first. */
  const audited = async ({ api }: Pick<Person, 'api'>, work: (request: Headers) => Promise<unknown>) => {
    const id = `audit-test-${next()}`;
    await work({ 'x-request-id': id });
    return (await api.list(`/audit-events?request_id=${id}&$sort[created_at]=1`)).data;
  };
  const pair = async () => {
    const [kim, lee] = [await system.person({ is_broker: true }), await system.person()];
    await lee.allows(kim);
    const { body } = await kim.api.post('/sub-accounts', { user_id: lee.id });
    return { kim, lee, subAccount: body.id, acting: String(body.access_token) };
  };

  it.each(inShape(shape, creatable))('tells who changed which $name, when and how', async (resource) => {
    const { service, name, create, patch, remove } = resource;
    const parents = await newParents(anna, resource);
    const collection = pathOf(create, parents);
    const [draft, changes] = [await fullDraft(anna, resource), await fullDraft(anna, resource)];
    const known = {
      service,
      actor_type: 'user',
      user_id: anna.id,
      act_user_id: null,
      client_id: null,
      token_id: await tokenId(anna.token),
      address: expect.stringMatching(/127\.0\.0\.1$/),
    };
    let id = 0;
    const steps: Record<string, (headers: Headers) => Promise<Answer>> = {
      create: (headers) => anna.api.post(collection, draft, headers),
      ...(patch && { patch: (headers: Headers) => anna.api.patch(`${collection}/${id}`, changes, headers) }),
      ...(remove && { remove: (headers: Headers) => anna.api.delete(`${collection}/${id}`, headers) }),
    };
    for (const [verb, send] of Object.entries(steps)) {
      const before = new Date().toISOString();
      const rows = await audited(anna, async (headers) => {
        const { status, body } = await send(headers);
        expect(status, verb).toBe(verb === 'create' ? 201 : 200);
        id = Number(body.id);
      });
      const own = rows.filter((one) => one.service === service && one.actor_type !== 'system');
      const record_id = partsOfAggregates.includes(name) ? Object.values(parents).at(-1) : id;
      expect(own, verb).toContainEqual({
        ...known,
        action: `${name}.${verb}`,
        record_type: expect.any(String),
        record_id,
        id: expect.any(String),
        request_id: expect.any(String),
        created_at: expect.any(String),
      });
      for (const row of own) expect(row, verb).toMatchObject(known);
      expect(String(own[0]?.created_at) >= before, verb).toBe(true);
    }
  });

  it('contains nothing of a request that was refused, and a repeated one once', async () => {
    const { api } = anna;
    const refused = (headers: Headers) => api.post('/tags', { content: {} }, headers);
    expect(await audited(anna, refused)).toEqual([]);
    expect(await audited(anna, (headers) => api.patch(`/contacts/${absent}`, {}, headers))).toEqual([]);
    const twice = async (headers: Headers) => {
      const keyed = { ...headers, 'idempotency-key': `audit-${next()}` };
      for (const _ of [1, 2]) expect((await api.post('/contacts', {}, keyed)).status).toBe(201);
    };
    expect(await audited(anna, twice)).toMatchObject([{ action: 'contacts.create', record_type: 'contact' }]);
  });

  it('names a broker who acts for a user, also for reading, and shows both what was done', async () => {
    const { kim, lee, acting } = await pair();
    const token_id = await tokenId(acting);
    const agent = system.as(acting);
    let id = 0;
    const who = { actor_type: 'broker', user_id: lee.id, act_user_id: kim.id, token_id };
    const created = async (headers: Headers) => {
      id = Number((await agent.post('/contacts', { first_name: 'Bill' }, headers)).body.id);
    };
    expect(await audited(lee, created)).toMatchObject([{ ...who, action: 'contacts.create', record_id: id }]);
    const read = (headers: Headers) => agent.get(`/contacts/${id}`, headers);
    for (const reader of [lee, kim, { api: agent }])
      expect(await audited(reader, read)).toMatchObject([
        { ...who, action: 'contacts.get', record_type: 'contact', record_id: id },
      ]);
    const listed = (headers: Headers) => agent.get('/tasks', headers);
    expect(await audited(lee, listed)).toMatchObject([{ ...who, action: 'tasks.find', record_id: null }]);
    expect(await audited(lee, (headers) => lee.api.get(`/contacts/${id}`, headers))).toEqual([]);
  });

  it('has nothing of a read by a broker that was refused, and tells once of one that is answered', async () => {
    const { kim, lee, subAccount, acting } = await pair();
    const read = (headers: Headers) => system.as(acting).get('/contacts', headers);
    // The token is known now, and so are its rights, which then change.
    expect(await audited(lee, read)).toHaveLength(1);
    await lee.api.post('/teams', { name: 'North' });
    expect(await audited(lee, read)).toHaveLength(1);
    await kim.api.delete(`/sub-accounts/${subAccount}`);
    const refused = async (headers: Headers) => expect((await read(headers)).status).toBe(401);
    expect(await audited(lee, refused)).toEqual([]);
  });

  it('is shown to its user and to the broker of a sub-account, and to nobody else', async () => {
    const { kim, lee } = await pair();
    const stranger = await system.person({ is_broker: true });
    const by = (person: Person) => (headers: Headers) => person.api.post('/tags', { content: 'x' }, headers);
    for (const reader of [lee, kim]) expect(await audited(reader, by(lee))).toHaveLength(1);
    for (const reader of [stranger, anna]) expect(await audited(reader, by(lee))).toEqual([]);
    expect(await audited(lee, by(kim))).toEqual([]);
    const users = async (query: string) =>
      new Set((await kim.api.list(`/audit-events?$limit=1000&${query}`)).data.map(({ user_id }) => user_id));
    expect(await users('')).toEqual(new Set([kim.id, lee.id]));
    expect(await users(`user_id=${lee.id}`)).toEqual(new Set([lee.id]));
    expect(await users(`user_id=${stranger.id}`)).toEqual(new Set());
  });

  it('has a page or an error about $after for any cursor that was made up', async () => {
    const kim = await system.person();
    for (const content of ['a', 'b', 'c']) await kim.api.post('/tags', { content });
    await expectNoFaults(kim.api, '/audit-events', fieldKinds(AuditEventView).kinds, inEachShape(60));
  });

  it('names the application of a token', async () => {
    const app = await system.operator.applications.create({
      name: 'App',
      redirect_uris: ['https://app.example.com/'],
      owner: anna.id,
    });
    await system.rows(
      'identity',
      'update access_tokens set application_id = (select id from applications where client_id = $1) where token_hash = $2',
      [app.client_id, hashOfToken(anna.token)],
    );
    const tagged = (headers: Headers) => anna.api.post('/tags', { content: 'by an app' }, headers);
    expect(await audited(anna, tagged)).toMatchObject([{ client_id: app.client_id }]);
  });

  describe('as a list over all services', () => {
    let ben: Person;
    let all: readonly Json[] = [];
    beforeAll(async () => {
      ben = await system.person();
      for (let n = 0; n < 5; n++) {
        const made = [
          await ben.api.post('/tags', { content: `tag ${n}` }),
          await ben.api.post('/campaigns', { name: `campaign ${n}` }),
          await ben.api.post('/api/v1/task-categories', { name: `category ${n}` }),
          await ben.api.post('/teams', { name: `team ${n}`, order_method: 'Rank' }),
        ];
        for (const { status } of made) expect(status).toBe(201);
      }
      await system.settled();
      all = (await ben.api.list('/audit-events?$limit=1000')).data;
    });

    it('is newest first, with pages that never overlap, in any order', async () => {
      expect(new Set(all.map(({ service }) => service)).size).toBeGreaterThan(3);
      expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
      const times = all.map(({ created_at }) => String(created_at));
      expect(times).toEqual(times.toSorted().toReversed());
      for (const sort of [
        '',
        '$sort[action]=1&',
        '$sort[service]=-1&$sort[created_at]=1&',
        '$sort[address]=-1&',
      ]) {
        const whole = (await ben.api.list(`/audit-events?${sort}$limit=1000`)).data;
        const pages: Json[] = [];
        for (let skip = 0; skip < all.length; skip += 7)
          pages.push(...(await ben.api.list(`/audit-events?${sort}$limit=7&$skip=${skip}`)).data);
        expect(pages, sort).toEqual(whole);
        const walked = await walk(ben.api, '/audit-events', `${sort}$limit=9`);
        expect(walked, sort).toEqual({ data: whole, totals: [all.length] });
        expect(whole.map(({ id }) => id).toSorted()).toEqual(all.map(({ id }) => id).toSorted());
      }
    });

    it('counts, filters and selects like every list', async () => {
      const { length } = all;
      const ask = (query: string) => ben.api.list(`/audit-events?${query}`);
      expect(await ask('$limit=0')).toEqual({ total: length, limit: 0, skip: 0, data: [] });
      expect(await ask('$skip=20000')).toEqual({ total: length, limit: 10, skip: 20_000, data: [] });
      expect(await ask('service=contacts&action=tags.create&$limit=2')).toMatchObject({ total: 5 });
      expect((await ask('$or[0][action]=teams.create&$or[1][action][$like]=campaigns%25')).total).toBe(10);
      const [first] = all;
      expect((await ask(`id=${first?.id}`)).data).toEqual([first]);
      expect((await ask(`created_at[$lt]=${first?.created_at}`)).total).toBeLessThan(length);
      expect(Object.keys((await ask('$select=action&$limit=1')).data[0] ?? {}).toSorted()).toEqual([
        'action',
        'id',
      ]);
      for (const query of [
        'nonsense=1',
        'user_id=abc',
        '$sort[nonsense]=1',
        '$limit=-1',
        'actor_type=nobody',
      ])
        expect((await ben.api.get(`/audit-events?${query}`)).status, query).toBe(400);
    });

    it('is printed by the crm command, which leaves a trace of that', async () => {
      const urls = Object.entries(system.services).map(([name, url]) => [`${variablePrefix(name)}_URL`, url]);
      const env = {
        ...Object.fromEntries(urls),
        PATH: process.env.PATH,
        CRM_URL: system.url,
        OPERATOR_TOKEN: system.credentials.operator,
      };
      const root = new URL('..', import.meta.url);
      const printed = async (...words: string[]) => {
        const args = ['crm/src/main.js', 'audit', ...words];
        return (await promisify(execFile)(process.execPath, args, { cwd: root, env })).stdout;
      };
      const whole = JSON.parse(await printed('--json', '--user', ben.email, '--limit', '1000'));
      expect(whole).toEqual({ total: all.length, data: all });
      const tag = all.find(({ action }) => action === 'tags.create');
      const table = await printed('--record', `tag/${tag?.record_id}`, '--since', '1h');
      expect(table).toMatch(
        new RegExp(`^Time +Who .*\n${tag?.created_at} +user ${ben.id} +tags\\.create +tag/`),
      );
      const reads = await system.rows(
        'contacts',
        "select actor_type from audit_events where action = 'auditEvents.search' and user_id is null",
      );
      expect(new Set(reads.map(({ actor_type }) => actor_type))).toEqual(new Set(['operator']));
    });
  });
});
