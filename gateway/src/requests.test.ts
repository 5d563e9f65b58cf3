import { describe, expect, it } from 'vitest';
import { refused, startThings } from '../test/things-gateway.ts';
import { safetyHeaders } from './browsers.ts';

describe('a request', () => {
  it('reaches the service of its operation with the exchanged credential', async () => {
    const { calls, request } = await startThings();
    const answer = await request('POST /things', {
      body: { name: 'a' },
      headers: { 'x-request-id': 'mine-1', 'idempotency-key': 'k' },
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(calls).toEqual([
      {
        procedure: 'things.create',
        input: { name: 'a' },
        credential: { token: 'good for shop' },
        requestId: 'mine-1',
        idempotencyKey: 'k',
        dryRun: false,
        strict: false,
        mayRepeat: false,
        deadline: expect.any(Number),
        signal: expect.any(AbortSignal),
      },
    ]);
    const left = Number(calls[0]?.deadline) - performance.now();
    expect([left > 25_000, left <= 30_000], 'it has 30 seconds').toEqual([true, true]);
  });

  it('that creates nothing returns 200, even if it is a POST', async () => {
    const { request } = await startThings();
    expect((await request('POST /things/1/claim', { body: {} })).status).toBe(200);
    expect((await request('POST /things', { body: {} })).status).toBe(201);
  });

  it.each(['//things', '/things/', '//things//'])('keeps its method at %s', async (path) => {
    const { calls, request } = await startThings();
    expect((await request(`POST ${path}`, { body: {} })).status).toBe(201);
    expect(calls[0]?.procedure).toBe('things.create');
  });

  it('keeps slashes in its query', async () => {
    const { calls, request } = await startThings();
    await request('GET //things?name=//y');
    expect(calls[0]?.input).toEqual({ name: '//y' });
  });

  it('matches a literal path before a parameter', async () => {
    const { calls, request } = await startThings();
    await request('GET /things/count');
    expect(calls[0]?.procedure).toBe('things.count');
  });

  it('identifies its record by the path alone', async () => {
    const { calls, request } = await startThings();
    await request('PATCH /things/1?id=2', { body: { id: 3, rank: 1 } });
    expect(calls[0]?.input).toEqual({ id: '1', rank: 1, $where: { id: '2' } });
  });

  it('passes its query as conditions on the record', async () => {
    const { calls, request } = await startThings();
    await request('GET /things/1?rank[$gt]=2&$select=name');
    expect(calls[0]?.input).toMatchObject({ id: '1', $where: { rank: { $gt: '2' } }, $select: 'name' });
  });

  it('passes parameters of the operation to the operation', async () => {
    const { calls, request } = await startThings();
    await request('DELETE /things/1?delete_type=2');
    expect(calls[0]?.input).toEqual({ id: '1', delete_type: '2' });
  });

  it('also reads them from the body of a DELETE, which takes precedence', async () => {
    const { calls, request } = await startThings();
    await request('DELETE /things/1', { body: { delete_type: 3, id: 7 } });
    await request('DELETE /things/1?delete_type=2', { body: { delete_type: 3 } });
    expect(calls.map(({ input }) => input)).toEqual([
      { id: '1', delete_type: 3 },
      { id: '1', delete_type: 3 },
    ]);
    expect((await request('DELETE /things/1', { body: [] })).status).toBe(400);
    const headers = { 'content-type': 'application/json' };
    expect((await request('DELETE /things/1', { body: '{', headers })).status).toBe(400);
    expect((await request('DELETE /things/1', { body: '', headers })).status).toBe(200);
    expect(calls).toHaveLength(3);
  });

  it('ignores conditions in its body', async () => {
    const { calls, request } = await startThings();
    await request('PATCH /things/1', { body: { rank: 1, $where: [], $select: ['id'] } });
    expect(calls[0]?.input).toEqual({ rank: 1, id: '1' });
    const strict = await request('PATCH /things/1', {
      body: { $where: [] },
      headers: { prefer: 'return=minimal, handling=strict' },
    });
    expect(strict).toMatchObject({
      status: 400,
      json: { errors: { $where: 'Field "$where" cannot be written.' } },
    });
    expect(strict.headers.get('preference-applied')).toBe('handling=strict');
    expect(calls).toHaveLength(1);
  });

  it('is refused for a query parameter that neither its operation nor its conditions define', async () => {
    const { calls, request } = await startThings();
    for (const refused of ['GET /things/count?x=1', 'DELETE /things/1/mark?x=1'])
      expect(await request(refused)).toMatchObject({
        status: 400,
        json: { errors: { x: 'Unknown parameter "x".' } },
      });
    expect(calls).toEqual([]);
  });

  it('is refused for an unknown query parameter of a POST only under strict handling', async () => {
    const { calls, request } = await startThings();
    expect((await request('POST /things?x=1', { body: {} })).status).toBe(201);
    const strict = await request('POST /things?x=1', { body: {}, headers: { prefer: 'handling=strict' } });
    expect(strict).toMatchObject({ status: 400, json: { errors: { x: 'Unknown parameter "x".' } } });
    expect(calls.map(({ strict }) => strict)).toEqual([false]);
  });

  it('may omit the body of a change, and of a POST only if it has no fields', async () => {
    const { calls, request } = await startThings();
    expect((await request('POST /things/1/claim')).status).toBe(200);
    expect((await request('POST /things')).status).toBe(400);
    expect((await request('PATCH /things/1')).status).toBe(200);
    expect(calls).toHaveLength(2);
  });

  it('may have any body if it is a DELETE without parameters', async () => {
    const { calls, request } = await startThings();
    for (const type of ['text/plain', 'application/json']) {
      const sent = { body: 'not json', headers: { 'content-type': type } };
      expect((await request('DELETE /things/1/mark', sent)).status).toBe(200);
    }
    expect(calls.map(({ input }) => input)).toEqual([{ id: '1' }, { id: '1' }]);
    const sent = { body: 'not json', headers: { 'content-type': 'text/plain' } };
    expect((await request('DELETE /things/1', sent)).status).toBe(415);
  });

  it.each([
    ['POST /things', 201],
    ['PATCH /things/1', 200],
    ['DELETE /things/1', 200],
    ['DELETE /things/1/mark', 200],
  ])('%s is a dry run wherever it says so', async (target, status) => {
    const { calls, request } = await startThings();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const answers = [
      await request(`${target}?dry_run=1`, { body: {} }),
      await request(target, { body: { dry_run: true } }),
      await request(target, { body: 'dry_run=true', headers: form }),
      await request(target, { body: {}, headers: { 'dry-run': 'true' } }),
      await request(`${target}?dry_run=true`, { body: { dry_run: 'false' } }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual(Array(5).fill(status));
    expect(calls.map(({ dryRun }) => dryRun)).toEqual([true, true, true, true, false]);
    expect(calls.flatMap(({ input }) => Object.keys(Object(input)))).not.toContain('dry_run');
    for (const name of ['dryrun', 'dryRun', 'dry-run', 'Dry_Run']) {
      const error = { json: { details: { [name]: { did_you_mean: 'dry_run' } } } };
      expect(await request(target, { body: { [name]: true } })).toMatchObject({ status: 400, ...error });
      if (target.startsWith('POST'))
        expect(await request(`${target}?${name}=true`, { body: {} })).toMatchObject({
          status: 400,
          ...error,
        });
    }
    expect(await request(target, { body: { dry_run: 'maybe' } })).toMatchObject({ status: 400 });
    expect(calls).toHaveLength(5);
  });

  it('has an idempotency key unless it only reads, and not an empty one', async () => {
    const { calls, request } = await startThings();
    await request('PATCH /things/1', { body: {}, headers: { 'idempotency-key': 'k' } });
    await request('DELETE /things/1', { headers: { 'idempotency-key': 'k' } });
    await request('GET /things', { headers: { 'idempotency-key': 'k' } });
    expect(calls.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['k', 'k', undefined]);
    const empty = await request('POST /things', { body: {}, headers: { 'idempotency-key': '' } });
    expect(empty).toMatchObject({
      status: 400,
      json: { errors: { 'Idempotency-Key': 'must not be empty' } },
    });
  });

  it('shows that its response is replayed', async () => {
    const { request } = await startThings({ answer: async () => ({ text: '{"id":1}', replayed: true }) });
    const answer = await request('POST /things', { body: {} });
    expect(answer.headers.get('idempotency-replayed')).toBe('true');
    expect(answer.json).toEqual({ id: 1 });
  });

  it('with HEAD is handled like one with GET', async () => {
    const { calls, request } = await startThings();
    const answer = await request('HEAD /things');
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, '2']);
    expect(calls[0]?.procedure).toBe('things.find');
  });

  it('may come from a page of any origin', async () => {
    const { request } = await startThings();
    const preflight = await request('OPTIONS /things/1', {
      token: null,
      headers: { origin: 'https://x.example', 'access-control-request-method': 'PATCH' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH');
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization');
    const refusedOne = await request('GET /nothing', { headers: { origin: 'https://x.example' } });
    expect(refusedOne.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('from a page gets no header that the page cannot read', async () => {
    const plain = await startThings();
    const replaying = await startThings({ answer: async () => ({ text: '{"id":1}', replayed: true }) });
    const busy = await startThings({
      answer: refused({ name: 'Conflict', message: 'Later.', errors: {}, retryAfter: 1 }),
      rateLimits: { address: 10, token: 10, account: 1_000_000 },
    });
    const origin = 'https://x.example';
    const strict = { origin, prefer: 'handling=strict' };
    const answers = [
      await replaying.request('POST /things', { body: {}, headers: strict }),
      await plain.request('POST /things?dry_run=true', { body: {}, headers: { origin } }),
      await busy.request('POST /things', { body: {}, headers: { origin } }),
      await plain.request('GET /things', { token: null, headers: { origin } }),
      await plain.request('PUT /things', { body: {}, headers: { origin } }),
    ];
    // Headers that browsers always let pages read, and headers for the browsers themselves.
    const others = ['content-length', 'content-type', 'connection', 'keep-alive'];
    const sent = answers.flatMap(({ headers }) => [...headers.keys()]);
    const forPages = sent.filter(
      (name) => !(name in safetyHeaders || others.includes(name) || name.startsWith('access-control-')),
    );
    const exposed = answers.map(({ headers }) => headers.get('access-control-expose-headers'));
    expect(new Set(exposed).size).toBe(1);
    expect(new Set(exposed[0]?.toLowerCase().split(', '))).toEqual(new Set(forPages));
  });

  it('is logged once, without its contents', async () => {
    const { lines, request } = await startThings();
    await request('PATCH /things/77?name=secret-query', {
      body: { name: 'secret-body' },
      token: 'secret-token',
      headers: { 'x-request-id': 'r1' },
    });
    // The line is written after the response was sent, so the client may see the response first.
    await expect.poll(() => lines.length).toBe(1);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { method: 'PATCH', route: '/things/:id', status: 200, requestId: 'r1' },
    ]);
    expect(lines.join()).not.toMatch(/secret|things\/\d/);
  });

  it('for the headers of a file does not create the file', async () => {
    const { calls, request } = await startThings({
      answer: async ({ input }) => {
        const next = 'cursor' in Object(input) ? null : 'b';
        return { text: JSON.stringify({ text: 'a', next }), replayed: false };
      },
    });
    const { status, headers } = await request('HEAD /things/export');
    expect([status, headers.get('content-disposition'), headers.get('content-length')]).toEqual([
      200,
      'attachment; filename="things.csv"',
      null,
    ]);
    await request('GET /things');
    expect(calls.map(({ procedure }) => procedure)).toEqual(['things.export', 'things.find']);
  });
});
