import { describe, expect, it } from 'vitest';
import { startThings } from '../test/things-gateway.ts';

const json = { 'content-type': 'application/json' };
const utf16 = Buffer.from('{"name":"\xff"}', 'latin1');
const deep = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

describe('a body', () => {
  it.each([
    ['an array', '[]', 400],
    ['a string', '"a"', 400],
    ['null', 'null', 400],
    ['nothing', '', 400],
    ['half an object', '{"a":', 400],
    ['an invalid byte', utf16, 400],
    ['too deep', deep(33), 400],
    ['far too deep', deep(200_000), 400],
    ['deep enough', deep(32), 201],
    ['a prototype key', '{"__proto__":{"x":1}}', 400],
    ['a nested prototype key', '{"a":[{"constructor":{"prototype":{"x":1}}}]}', 400],
    ['a harmless constructor', '{"constructor":"Smith & Sons"}', 201],
    ['as long as allowed', `{"a":"${'x'.repeat(1_048_568)}"}`, 201],
    ['one byte longer', `{"a":"${'x'.repeat(1_048_569)}"}`, 413],
  ])('that is %s', async (_name, body, status) => {
    const { request } = await startThings();
    expect((await request('POST /things', { body, headers: json })).status).toBe(status);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it.each([json, { 'content-type': 'application/x-www-form-urlencoded' }, {}])(
    'of a change may be omitted, which changes no field: %j',
    async (headers) => {
      const { calls, request } = await startThings();
      for (const sent of [{ headers }, { headers, body: '' }])
        expect((await request('PATCH /things/1', sent)).status).toBe(200);
      expect(calls.map(({ input }) => input)).toEqual([{ id: '1' }, { id: '1' }]);
      for (const body of ['null', '[]', '""', ' '])
        expect((await request('PATCH /things/1', { headers: json, body })).status, body).toBe(400);
    },
  );

  it.each([
    ['application/json', 201],
    ['application/json; charset=utf-8', 201],
    ['Application/JSON;charset=UTF-8', 201],
    ['application/json garbage', 415],
    ['application/json\tx', 415],
    ['application/jsonx', 415],
    ['application/x-www-form-urlencoded', 400],
    ['multipart/form-data; boundary=x', 415],
    ['text/plain', 415],
    ['nonsense', 415],
  ])('sent as %s', async (type, status) => {
    const { request } = await startThings();
    expect((await request('POST /things', { body: '{}', headers: { 'content-type': type } })).status).toBe(
      status,
    );
  });

  it.each([
    ['name=Ann+Lee&rank=5', { name: 'Ann Lee', rank: '5' }],
    ['a[b]=1&list[]=x&list[]=y&list2[0]=z', { a: { b: '1' }, list: ['x', 'y'], list2: ['z'] }],
    ['name=%C3%A9&note=100%', { name: 'é', note: '100%' }],
    ['empty=', { empty: '' }],
    ['tags=1', { tags: ['1'] }],
    ['tags=1&tags=2', { tags: ['1', '2'] }],
  ])('may be a form: %s', async (body, input) => {
    const { calls, request } = await startThings();
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
    expect((await request('POST /things', { body, headers })).status).toBe(201);
    expect(calls.map((call) => call.input)).toEqual([input]);
  });

  it.each(['{"name":"Ann"}', ' \n[{"name":"Ann"}]', '%7B%22name%22%3A%22Ann%22%7D'])(
    'that is JSON sent as a form is refused: %s',
    async (body) => {
      const { calls, request } = await startThings();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      for (const target of ['POST /things', 'PATCH /things/1'])
        expect(await request(target, { body, headers })).toMatchObject({
          status: 400,
          json: {
            reason: 'malformed_body',
            message: expect.stringContaining('Content-Type: application/json'),
          },
        });
      expect(calls).toEqual([]);
    },
  );

  it.each(['name=Ren%E9', 'name=%C3', 'name=%ED%A0%80', 'name=%%41%e9'])(
    'that is a form in another encoding than UTF-8 is refused: %s',
    async (body) => {
      const { request } = await startThings();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      expect(await request('POST /things', { body, headers })).toMatchObject({
        status: 400,
        json: { message: 'The body is not valid UTF-8.' },
      });
    },
  );

  it('that is a form is not called a query string', async () => {
    const { request } = await startThings();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = Array.from({ length: 5000 }, (_, index) => `p${index}=1`).join('&');
    expect(await request('POST /things', { body, headers })).toMatchObject({
      json: { reason: 'malformed_body', message: 'The form is nested too deeply or has too many fields.' },
    });
  });

  it.each([
    ['a prototype key', '__proto__[x]=1'],
    ['a constructor key', 'constructor[prototype][x]=1'],
    ['an invalid byte', Buffer.from('name=\xff', 'latin1')],
    ['too much nesting', `a${'[b]'.repeat(50)}=1`],
    ['too many fields', Array.from({ length: 5000 }, (_, index) => `p${index}=1`).join('&')],
  ])('that is a form with %s is refused', async (_name, body) => {
    const { request } = await startThings();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await request('POST /things', { body, headers })).status).toBe(400);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it('is refused when it is compressed', async () => {
    const { request } = await startThings();
    const answer = await request('POST /things', { body: '{}', headers: { 'content-encoding': 'gzip' } });
    expect(answer.status).toBe(415);
  });
});
