import { newAccessToken } from '@crm/auth';
import { scopeOf } from '@crm/contract';
import { routes } from '@crm/gateway';
import { absent } from '@crm/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writableFields } from './contract/fields.ts';
import { inShape } from './contract/in-shape.ts';
import { newParents, newRecord, newRecordBelow } from './contract/records.ts';
import { creatable, pathOf, type Resource, switchesOf } from './contract/resources.ts';
import type { Answer, Headers, Json } from './system/api.ts';
import { shapes, startSystem } from './system.ts';

const closed = routes.filter(({ operation }) => operation.for !== 'anyone');

/** Invalid tokens: of other systems, truncated, too long, or with one letter changed. */
const malformed = [
  'x',
  'null',
  'undefined',
  'crm_at_',
  'eyJhbGciOiJub25lIn0.eyJhY3RvciI6eyJzeXN0ZW0iOnRydWV9fQ.',
  'da39a3ee5e6b4b0d3255bfef95601890afd80709',
  'crm_op_guess',
  `${newAccessToken()}x`,
  newAccessToken().slice(0, -1),
  'y'.repeat(300),
  'z'.repeat(8000),
];

describe.each(shapes)('%s: access', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);
  const [anna, stranger] = [
    await system.person({ is_broker: true }),
    await system.person({ is_broker: true }),
  ];
  const reader = await system.token(anna, 'read');
  const gone = await system.token(anna, 'write');
  await system.revoke(gone.token);
  const old = await system.token(anna, 'write');
  await system.rows(
    'identity',
    `update access_tokens set expires_at = now() where id = (select max(id) from access_tokens)`,
  );

  describe.each(inShape(shape, closed))('$method $path', (route) => {
    const { method, path } = route;
    const anywhere = path.replaceAll(/:\w+/g, '1');
    const body = method === 'POST' || method === 'PATCH' ? {} : undefined;
    let before: Json;
    beforeAll(async () => {
      before = await system.contents();
    });

    it('rejects a request without a token', async () => {
      for (const authorization of [undefined, 'Basic YTpi', 'Bearer', 'Bearer ']) {
        const headers: Headers = authorization === undefined ? {} : { authorization };
        const answer = await system.as(undefined).send(method, anywhere, body, headers);
        expect(answer).toMatchObject({
          status: 401,
          body: { name: 'NotAuthenticated', message: expect.stringMatching(/^No access token/) },
        });
        expect(answer.headers['www-authenticate']).toMatch(/^Bearer /);
      }
    });

    it.each([
      ['an unknown', newAccessToken],
      ['a revoked', () => gone.token],
      ['an expired', () => old.token],
    ])('refuses %s token', async (_, token) => {
      refusedToken(await system.as(token()).send(method, anywhere, body));
    });

    it('rejects invalid tokens', async () => {
      for (const token of malformed) refusedToken(await system.as(token).send(method, anywhere, body), token);
    });

    it('changes nothing for a request that it refuses', async () => {
      expect(await system.contents()).toEqual(before);
    });
  });

  function refusedToken({ status, headers, body }: Answer, token = '') {
    expect({ status, name: body.name, message: body.message }, token).toEqual({
      status: 401,
      name: 'NotAuthenticated',
      message: 'Invalid access token',
    });
    expect(headers['www-authenticate']).toMatch(/^Bearer .*error="invalid_token"/);
  }

  describe.each(inShape(shape, creatable))('$name', (resource) => {
    const { get, find, create } = resource;
    const mutations = [create, resource.patch, resource.remove].filter((route) => route !== undefined);
    const onRecords = [get, resource.patch, resource.remove].filter((route) => route !== undefined);

    it('can be read but not written with a read-only token, and not read if this would let it write', async () => {
      const { parameters, path, collection } = await newRecord(anna, resource);
      for (const [route, at] of [
        [get, path],
        [find, collection],
      ] as const) {
        const { status } = await reader.api.get(at);
        expect([at, status]).toEqual([at, scopeOf(route.operation) === 'read' ? 200 : 403]);
      }
      expect(mutations).not.toEqual([]);
      for (const route of mutations) {
        const before = await system.contents();
        const body = route.method === 'DELETE' ? undefined : {};
        const answer = await reader.api.send(route.method, pathOf(route, parameters), body);
        expect(answer).toMatchObject({ status: 403, body: { name: 'Forbidden' } });
        expect(answer.headers['www-authenticate']).toMatch(/error="insufficient_scope", scope="write"/);
        expect(await system.contents()).toEqual(before);
      }
    });

    it('of another user get the same response as records that do not exist', async () => {
      const theirs = await newRecord(anna, resource);
      const own = await newRecord(stranger, resource);
      for (const foreign of someOf([...resource.parents, 'id'])) {
        const strange = mix(own.parameters, theirs.parameters, foreign);
        const absent = mix(own.parameters, {}, foreign);
        for (const route of onRecords) {
          const before = await system.contents();
          const body = route.method === 'PATCH' ? {} : undefined;
          const [one, other] = [
            await stranger.api.send(route.method, pathOf(route, strange), body),
            await stranger.api.send(route.method, pathOf(route, absent), body),
          ];
          expect(one.status, `${route.procedure} with foreign ${foreign}`).toBe(404);
          expect(withoutIds(one, strange)).toEqual(withoutIds(other, absent));
          expect(await system.contents()).toEqual(before);
        }
      }
    });

    it('are in no list of another user, whatever the query', async () => {
      const { id, parameters } = await newRecord(anna, resource);
      const parents = await newParents(stranger, resource);
      const collection = pathOf(find, parents);
      const wider = switchesOf(resource).map((name) => `?${name}=true&$limit=1000`);
      for (const query of [
        '',
        '?id[$gt]=0&$limit=1000',
        '?$sort[id]=-1',
        '?id[$ne]=0&$select=id',
        ...wider,
      ]) {
        const { data } = await stranger.api.list(`${collection}${query}`);
        expect(data.map((record) => record.id)).not.toContain(id);
      }
      for (const query of [`id=${id}`, `id[$in]=${id}`, `$or[0][id]=${id}&$or[1][id]=${id}`]) {
        expect(await stranger.api.list(`${collection}?${query}`)).toMatchObject({ total: 0, data: [] });
      }
      for (const foreign of someOf(resource.parents)) {
        await alikeBelow(resource, mix(parents, parameters, foreign), mix(parents, {}, foreign));
      }
    });

    it('can be created neither by nor for another user', async () => {
      const { parameters } = await newRecord(anna, resource);
      const above = await newParents(stranger, resource);
      for (const foreign of someOf(resource.parents)) {
        const draft = (await newRecordBelow(anna, resource, parameters)).body;
        const before = await system.contents();
        const strange = mix(above, parameters, foreign);
        const absent = mix(above, {}, foreign);
        const one = await stranger.api.post(pathOf(create, strange), draft);
        const other = await stranger.api.post(pathOf(create, absent), draft);
        expect(one.status).toBe(404);
        expect(withoutIds(one, strange)).toEqual(withoutIds(other, absent));
        expect(await system.contents()).toEqual(before);
      }
      const writable = new Set(writableFields(create).map(({ name }) => name));
      const owners = Object.keys(resource.shown.shape).filter(
        (name) => name.endsWith('user_id') && !writable.has(name),
      );
      const claims = Object.fromEntries(owners.map((name) => [name, anna.id]));
      const { body } = await newRecord(stranger, resource, claims);
      // Null for a lead that is not claimed yet.
      for (const owner of owners) expect([stranger.id, null]).toContain(body[owner]);
    });
  });

  async function alikeBelow({ find }: Resource, strange: Parameters, absent: Parameters) {
    const [one, other] = [
      await stranger.api.get(pathOf(find, strange)),
      await stranger.api.get(pathOf(find, absent)),
    ];
    expect(one.status).toBe(404);
    expect(withoutIds(one, strange)).toEqual(withoutIds(other, absent));
  }
});

type Parameters = Readonly<Record<string, number>>;

/** Every non-empty subset of the names. */
function someOf(names: readonly string[]): string[][] {
  const [first, ...others] = names;
  if (first === undefined) return [];
  const without = someOf(others);
  return [[first], ...without, ...without.map((chosen) => [first, ...chosen])];
}

/** The caller's parameters, some replaced by those of another user, or by an id that does not exist. */
function mix(own: Parameters, other: Parameters, foreign: readonly string[]): Parameters {
  return { ...own, ...Object.fromEntries(foreign.map((name) => [name, other[name] ?? absent])) };
}

/** The response without the ids of the request and its own id, so that responses can be compared. */
function withoutIds({ status, headers, body }: Answer, ids: Parameters): Json {
  const { request_id: _, code, ...rest } = body;
  const text = Object.values(ids).reduce(
    // Records of different kinds may have the same id.
    (all, id) => all.replaceAll(new RegExp(`\\b${id}\\b`, 'g'), '{id}'),
    JSON.stringify(rest),
  );
  const { 'x-request-id': _id, date: _date, 'content-length': _length, ...shown } = headers;
  return { status, code, text, shown };
}
