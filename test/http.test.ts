import { request as httpRequest } from 'node:http';
import { hasDryRun, isForPrograms, statuses } from '@crm/contract';
import { routes, webRoutes } from '@crm/gateway';
import { absent, seed } from '@crm/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inEachShape } from './contract/budget.ts';
import { writableFields } from './contract/fields.ts';
import { inShape } from './contract/in-shape.ts';
import { fullDraft, newRecord, resourceCalled } from './contract/records.ts';
import { creatable, itemRoutes, kindsOf, pathOf, resources } from './contract/resources.ts';
import type { Json, Method } from './system/api.ts';
import { shapes, startSystem } from './system.ts';

const strangeIds = [
  '0',
  '-1',
  '-0',
  '1.5',
  '1e3',
  '0x10',
  'abc',
  'null',
  'undefined',
  '[object Object]',
  '2147483648',
  '9223372036854775808',
  '9'.repeat(400),
  '１',
  '٣',
  '1 ',
  ' 1',
  '+1',
  '\u0000',
  '1\u0000',
  '😀',
  "1' or '1'='1",
  '../1',
  '%',
  '1;2',
  '1,2',
];

describe.each(shapes)('%s: HTTP', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);
  const anna = await system.person({ is_broker: true });
  const nobody = system.as(undefined);
  const chosen = inShape(shape, creatable);

  it('has exactly the routes of the contracts and of the document', async () => {
    const { body } = await nobody.get('/openapi.json');
    const documented = Object.entries(body.paths as Readonly<Record<string, Json>>).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const declared = [...routes, ...webRoutes]
      .filter(({ operation }) => isForPrograms(operation))
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    expect(declared).not.toEqual([]);
    expect(documented.sort()).toEqual(declared.sort());
  });

  describe.each(inShape(shape, itemRoutes))('$method $path', (route) => {
    it('treats an impossible id like one that does not exist', async () => {
      const resource = creatable.find(({ name }) => name === route.procedure.split('.')[0]);
      // Records that are created in another way have ids of the same form.
      const parameters = resource ? (await newRecord(anna, resource)).parameters : { id: 1 };
      const before = await system.contents();
      const body = route.method === 'PATCH' ? {} : undefined;
      // Every eighth, in another run perhaps the next ones; all are read by the same code.
      const strange = strangeIds.filter((_, index) => (index + seed) % 8 === 0);
      for (const parameter of Object.keys(parameters)) {
        for (const id of strange) {
          const path = pathOf(route, { ...parameters, [parameter]: encodeURIComponent(id) });
          const { status } = await anna.api.send(route.method, path, body);
          expect([400, 404], `${route.method} ${path}`).toContain(status);
        }
      }
      expect(await system.contents()).toEqual(before);
    });
  });

  it('accepts every spelling of a path', async () => {
    for (const resource of chosen) {
      const { path, body } = await newRecord(anna, resource);
      for (const variant of [`/${path}`, `${path}/`, path.replaceAll('/', '//'), `${path}?`]) {
        expect((await anna.api.get(variant)).body, variant).toEqual(body);
      }
    }
  });

  it('refuses unknown query parameters of everything but a POST', async () => {
    for (const { method, path } of routes.filter(({ method }) => method !== 'POST')) {
      const sent = method === 'PATCH' ? {} : undefined;
      const answer = await anna.api.send(method, `${path.replaceAll(/:\w+/g, '1')}?filters[name]=x`, sent);
      expect(answer, `${method} ${path}`).toMatchObject({ status: 400 });
      expect(Object.keys(answer.body.errors as Json), `${method} ${path}`).toContainEqual(
        expect.stringMatching(/^filters/),
      );
    }
  });

  it('refuses query parameters with the names of built-in properties, like any other unknown one', async () => {
    for (const name of ['constructor[prototype][x]', 'constructor', 'toString', 'hasOwnProperty[x]']) {
      const { status, body } = await anna.api.get(`/contacts?${name}=1`);
      expect({ status, name: body.name }, name).toEqual({ status: 400, name: 'BadRequest' });
      expect(Object.keys(body.errors as Json), name).toEqual([name.replace(/\[.*/, '')]);
    }
  });

  it('ignores fields with the names of built-in properties, like any other unknown one', async () => {
    for (const value of [null, '', 'x']) {
      const body = { name: `Sellers ${value}`, toString: value, constructor: value };
      expect(await anna.api.send('POST', '/campaigns', body)).toMatchObject({ status: 201 });
    }
  });

  it('lists the allowed methods of a path if another is used', async () => {
    const methods: readonly Method[] = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT'];
    for (const path of new Set(routes.map((route) => route.path))) {
      const asked = path.replaceAll(/:\w+/g, '1');
      // A word instead of an id, such as /lead-routes/simulate, is read as the path of a record as well.
      const matching = routes.filter((route) =>
        new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(asked),
      );
      const offered = new Set<string>(matching.map(({ method }) => method));
      for (const method of methods.filter((one) => !offered.has(one))) {
        const answer = await anna.api.send(method, asked);
        expect(answer, `${method} ${path}`).toMatchObject({
          status: 405,
          body: { name: 'MethodNotAllowed' },
        });
        const allowed = (answer.headers.allow ?? '').split(', ').filter((name) => name !== 'HEAD');
        expect(allowed.sort()).toEqual([...offered].sort());
      }
    }
  });

  it('responds to unknown paths with 404', async () => {
    for (const path of [
      '/',
      '/nothing',
      '/contacts/1/2/3/4',
      '/rpc/contacts.find',
      '/trpc/contacts.find',
      '/.env',
    ]) {
      expect(await anna.api.get(path)).toMatchObject({ status: 404, body: { message: 'Page not found' } });
    }
  });

  describe.each(
    inShape(
      shape,
      // A file is no JSON; what is refused of it is tested with imports.
      routes.filter(
        ({ method, operation }) => (method === 'POST' || method === 'PATCH') && !operation.upload,
      ),
    ),
  )('$method $path', (route) => {
    const { method, path, operation } = route;
    const somewhere = path.replaceAll(/:\w+/g, String(absent));
    let before: Json;
    beforeAll(async () => {
      before = await system.contents();
    });

    it.each([
      ['no object', ['[]', '[{}]', 'null', '"x"', '5', 'true'], {}, 400],
      ['no JSON', ['{', '{"a":1,}', '\u0000', "{'a':1}", '{"a":NaN}'], {}, 400],
      ['poisoned', ['{"__proto__":{"x":1}}', '{"constructor":{"prototype":{"x":1}}}'], {}, 400],
      ['too deep', [`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`], {}, 400],
      ['of another type', ['{}'], { 'content-type': 'text/plain' }, 415],
      [
        'a poisoned form',
        ['__proto__[x]=1', 'constructor[prototype][x]=1'],
        { 'content-type': 'application/x-www-form-urlencoded' },
        400,
      ],
      ['compressed', ['{}'], { 'content-encoding': 'gzip' }, 415],
      ['too large', [JSON.stringify({ first_name: 'x'.repeat(1_048_576) })], {}, 413],
    ] as const)('refuses a body that is %s', async (_, bodies, headers, status) => {
      for (const body of bodies) {
        const answer = await anna.api.send(method, somewhere, body, headers);
        expect(answer.status, body.slice(0, 100)).toBe(status);
      }
    });

    if (method === 'POST')
      it('refuses a missing body, unless it has no fields', async () => {
        // Without fields it responds to the path, or to the user's own state.
        const withoutFields = path.includes(':') ? 404 : 409;
        const status = writableFields(route).length === 0 ? withoutFields : 400;
        expect((await anna.api.send(method, somewhere, '')).status).toBe(status);
      });

    if (method === 'PATCH')
      it('reads a missing body as an empty object', async () => {
        expect(hasDryRun(operation)).toBe(true);
        const answers = await Promise.all(
          [{}, '', undefined].map((sent) => anna.api.send(method, `${somewhere}?dry_run=true`, sent)),
        );
        const [expected, ...others] = answers.map(({ status, body: { message, errors } }) => ({
          status,
          message,
          errors,
        }));
        expect(others).toEqual([expected, expected]);
        const isIncomplete = writableFields(route).some(({ required }) => required);
        expect(expected?.status).toBe(isIncomplete ? 400 : path.includes(':') ? 404 : 200);
      });

    it('rejects bodies that are not UTF-8', async () => {
      const bytes = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
      expect((await anna.api.send(method, somewhere, bytes)).status).toBe(400);
    });

    it('changes nothing for a request that it refuses', async () => {
      expect(await system.contents()).toEqual(before);
    });
  });

  it('returns errors in the form of RFC 9457 on request', async () => {
    const accept = { accept: 'application/problem+json' };
    const [first] = creatable;
    const requests = [
      () => nobody.get('/me', accept),
      () => anna.api.get('/nothing', accept),
      () => anna.api.send('PUT', '/me', undefined, accept),
      () => anna.api.get(`${first?.find.path.replaceAll(/:\w+/g, '1')}?$limit=x`, accept),
      () => anna.api.post('/contacts', '{', accept),
      () => anna.api.post('/contacts', '{}', { ...accept, 'content-type': 'text/plain' }),
    ];
    for (const ask of requests) {
      const { status, headers, body } = await ask();
      expect(headers['content-type']).toMatch(/^application\/problem\+json/);
      expect(body).toMatchObject({ type: body.docs, status });
      expect(statuses[body.name as keyof typeof statuses]).toBe(status);
    }
  });

  it('puts a request id into the response, the event and all logs', async () => {
    const idOf = (resource: (typeof chosen)[number]) => `trace-${resource.name}-${seed}`;
    for (const resource of chosen) {
      const { collection } = await newRecord(anna, resource);
      const id = idOf(resource);
      const answer = await anna.api.post(collection, await fullDraft(anna, resource), { 'x-request-id': id });
      expect(answer).toMatchObject({ status: 201, headers: { 'x-request-id': id } });
      const said = (await system.published(resource.service)).filter(({ requestid }) => requestid === id);
      expect(said.length, resource.name).toBeGreaterThan(0);
    }
    const named = async () =>
      (await system.logs()).flatMap(({ requestId, procedure, route }) => [
        `${requestId} ${procedure}`,
        `${requestId} ${route}`,
      ]);
    const expected = chosen.flatMap((resource) => [
      `${idOf(resource)} ${resource.name}.create`,
      `${idOf(resource)} ${resource.create.path}`,
    ]);
    await expect.poll(named).toEqual(expect.arrayContaining(expected));
  });

  it('generates a request id if the one that was sent cannot be logged', async () => {
    for (const sent of ['', 'two words', 'x'.repeat(200), '{"a":1}', 'a"b']) {
      const { headers } = await anna.api.get('/me', { 'x-request-id': sent });
      expect(headers['x-request-id']).not.toBe(sent);
    }
  });

  it('keeps the contents of requests out of the logs', async () => {
    const canary = 'Zebedee-Canary';
    const names = inShape(shape, resources).map(({ find }) => find.path.replaceAll(/:\w+/g, '1'));
    for (const path of names) {
      await anna.api.get(`${path}?name=${canary}&email=${canary}&$sort[${canary}]=1`);
      await anna.api.get(`${path}/${canary}`);
    }
    for (const resource of chosen) {
      const draft = Object.fromEntries(
        Object.entries(await fullDraft(anna, resource)).map(([name, value]) => [
          name,
          kindsOf(resource).get(name) === 'text' ? `${canary} ${String(value)}`.slice(0, 40) : value,
        ]),
      );
      await newRecord(anna, resource).then(({ collection }) => anna.api.post(collection, draft));
    }
    const text = JSON.stringify(await system.logs());
    expect(text).not.toContain(canary);
    expect(text).not.toContain(anna.token);
    expect(text).not.toContain(anna.email);
  });

  it(`never fails on a hostile query (seed ${seed})`, async () => {
    const lists = resources.map(({ find }) => find.path);
    const { id } = await newRecord(anna, resourceCalled('contacts'));
    const names = fc.constantFrom(
      ...resources.flatMap((resource) => [...kindsOf(resource).keys()]),
      ...[
        '$limit',
        '$skip',
        '$sort',
        '$select',
        '$or',
        '$and',
        '$load',
        '$where',
        '__proto__',
        'constructor',
        '',
      ],
    );
    const inner = fc.constantFrom(
      '$in',
      '$nin',
      '$gt',
      '$like',
      '$ne',
      '0',
      '1',
      '',
      '$or',
      'id',
      '__proto__',
      ']',
      '[',
    );
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }).filter((text) => text.isWellFormed()),
      fc.constantFrom(
        '1',
        '-1',
        '%25',
        'null',
        '1e400',
        '2026-01-01',
        '0000-01-01T00:00:00Z',
        '%',
        '\\',
        '\u0000',
      ),
      fc.constantFrom('9'.repeat(16), '-9007199254740991', '9'.repeat(400), '%'.repeat(99)),
    );
    const part = fc
      .tuple(names, fc.array(inner, { maxLength: 5 }), value)
      .map(
        ([name, path, text]) =>
          `${name}${path.map((key) => `[${key}]`).join('')}=${encodeURIComponent(text)}`,
      );
    const raw = fc.string({ unit: fc.constantFrom(...'[]=&%$.+,;0a\\\'"<>{}|^`'.split('')), maxLength: 40 });
    const query = fc.oneof(
      fc.array(part, { maxLength: 8 }).map((parts) => parts.join('&')),
      raw,
    );
    const property = fc.asyncProperty(fc.constantFrom(...lists), query, async (list, text) => {
      const path = list.replaceAll(/:\w+/g, String(id));
      const answer = await rawGet(`${path}?${text}`);
      expect(answer.status, text).toBeLessThan(500);
      expect(() => JSON.parse(answer.text), text).not.toThrow();
    });
    await fc.assert(property, { seed, numRuns: inEachShape(600) });
    expect((await nobody.get('/healthz')).status).toBe(200);
    expect((await anna.api.get('/me')).status).toBe(200);
  });

  it(`never fails on a hostile body (seed ${seed})`, async () => {
    const writes = creatable.flatMap((resource) => {
      const names = Object.keys(resource.view.shape);
      return [resource.create, resource.patch].flatMap((route) =>
        route ? [{ resource, route, names }] : [],
      );
    });
    const places = new Map<string, Readonly<Record<string, number>>>();
    for (const resource of creatable) places.set(resource.name, (await newRecord(anna, resource)).parameters);
    const property = fc.asyncProperty(
      fc.constantFrom(...writes),
      fc.array(fc.tuple(fc.nat(), hostileValue), { maxLength: 4 }),
      async ({ resource, route, names }, values) => {
        const draft = Object.fromEntries(
          values.map(([at, value]) => [at % 5 === 0 ? `$${at}` : names[at % names.length], value]),
        );
        const path = pathOf(route, places.get(resource.name) ?? {});
        const { status, body } = await anna.api.send(route.method, path, draft);
        expect(status, JSON.stringify([draft, body])).toBeLessThan(500);
      },
    );
    await fc.assert(property, { seed, numRuns: inEachShape(200) });
    expect((await anna.api.get('/me')).status).toBe(200);
  });

  /** Over a socket, because a client library would normalize the path. */
  function rawGet(path: string): Promise<{ status: number; text: string }> {
    const { hostname, port } = new URL(system.url);
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
    const asked = httpRequest(
      { hostname, port, path, headers: { authorization: `Bearer ${anna.token}` } },
      async (response) => {
        const chunks = await Array.fromAsync(response as AsyncIterable<Buffer>);
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
      },
    );
    asked.on('error', reject).end();
    return promise;
  }
});

const hostileValue = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 600 }),
  fc.constantFrom<unknown>(
    '\u0000',
    '\ud800',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-23:59',
    '0001-01-01T00:00:00+23:59',
    1e308,
    -0,
    5e-324,
    2 ** 53,
    [{ id: 2_147_483_647 }],
    [{ id: 0 }],
    [null],
    { $ne: null },
    { length: 1 },
    { toString: 1 },
  ),
);
