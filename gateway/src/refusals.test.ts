import { describe, expect, it } from 'vitest';
import { refused, startThings } from '../test/things-gateway.ts';

const json = { 'content-type': 'application/json' };

describe('an error response', () => {
  it('has the same body whatever its origin', async () => {
    const { request } = await startThings();
    const answers = await Promise.all([
      request('GET /nothing'),
      request('PUT /things', { body: {} }),
      request('POST /things', { body: '{' }),
      request('GET /things/%zz'),
      request('POST /things', { body: 'a=1', headers: { 'content-type': 'text/plain' } }),
      request('GET /things', { token: null }),
    ]);
    expect(answers.map(({ json: { request_id, errors, message, docs, ...rest } }) => rest)).toEqual([
      { name: 'NotFound', code: 404, className: 'not-found', reason: 'path_not_found' },
      { name: 'MethodNotAllowed', code: 405, className: 'method-not-allowed', reason: 'method_not_allowed' },
      { name: 'BadRequest', code: 400, className: 'bad-request', reason: 'malformed_body' },
      { name: 'BadRequest', code: 400, className: 'bad-request', reason: 'malformed_url' },
      {
        name: 'UnsupportedMediaType',
        code: 415,
        className: 'unsupported-media-type',
        reason: 'unsupported_media_type',
      },
      { name: 'NotAuthenticated', code: 401, className: 'not-authenticated', reason: 'token_missing' },
    ]);
    for (const { status, headers, json } of answers) {
      expect(json.docs).toBe(`/guides/error-codes#${json.reason}`);
      expect(json.code).toBe(status);
      expect(json.errors).toEqual({});
      expect(json.request_id).toBe(headers.get('x-request-id'));
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
  });

  it('has the format of RFC 9457 for clients that ask for it', async () => {
    const { request } = await startThings({
      answer: refused({ name: 'Conflict', message: 'In use', errors: { name: 'is in use' }, retryAfter: 1 }),
    });
    const headers = { accept: 'application/problem+json', 'x-request-id': 'r1' };
    const answer = await request('POST /things', { body: {}, headers });
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.json).toEqual({
      type: '/guides/error-codes',
      title: 'Conflict',
      status: 409,
      detail: 'In use',
      name: 'Conflict',
      message: 'In use',
      code: 409,
      className: 'conflict',
      // As from a service of an earlier version, which sends no reason.
      reason: 'conflict',
      docs: '/guides/error-codes',
      errors: { name: 'is in use' },
      request_id: 'r1',
    });
  });

  it('links to its entry, and says what else each field may be', async () => {
    const details = {
      status: { reason: 'not_an_option', valid_options: ['Open'], did_you_mean: 'Open' },
    } as const;
    const errors = { status: 'must be one of Open' };
    const problem = { name: 'BadRequest', message: 'status must be one of Open.', errors, details } as const;
    const { port, request } = await startThings({
      publicUrl: 'https://crm.example.com',
      answer: refused({ ...problem, reason: 'not_an_option' }),
    });
    const docs = 'https://crm.example.com/guides/error-codes#not_an_option';
    const answer = await request('POST /things', { body: {} });
    expect(answer.json).toMatchObject({ reason: 'not_an_option', docs, errors, details });
    const headers = { accept: 'application/problem+json' };
    expect((await request('POST /things', { body: {}, headers })).json).toMatchObject({ type: docs, docs });
    const page = await fetch(`http://127.0.0.1:${port}/guides/error-codes`);
    expect(await page.text()).toContain('<h3 id="not_an_option">');
  });

  it('lists the methods of a path', async () => {
    const { request } = await startThings();
    const collection = await request('PATCH /things/', { token: null, body: 'garbage' });
    expect(collection).toMatchObject({
      status: 405,
      json: {
        message: 'Method `patch` is not supported by this endpoint. Supported methods: GET, HEAD, POST.',
      },
    });
    expect(collection.headers.get('allow')).toBe('GET, HEAD, POST');
    expect((await request('PUT /things/1', { body: {} })).headers.get('allow')).toBe(
      'DELETE, GET, HEAD, PATCH',
    );
  });

  it('for an unknown path does not depend on a token', async () => {
    const { request } = await startThings();
    const answer = await request('POST /nothing', { token: null, body: 'garbage', headers: json });
    expect(answer).toMatchObject({ status: 404, json: { message: 'Page not found' } });
  });

  it('for an unknown path suggests the most similar one, if there is one', async () => {
    const { request } = await startThings();
    const meant = async (path: string) => {
      const { status, json } = await request(`GET ${path}`, { token: null });
      expect(status).toBe(404);
      return (json as { details?: { path: object } }).details?.path;
    };
    expect(await meant('/thing')).toMatchObject({ did_you_mean: '/things' });
    expect(await meant('/THINGS')).toMatchObject({ did_you_mean: '/things' });
    expect(await meant('/thigns/7?name=x')).toMatchObject({ did_you_mean: '/things/7' });
    expect(await meant('/opneapi.json')).toMatchObject({ did_you_mean: '/openapi.json' });
    expect(await meant('/elsewhere')).toBeUndefined();
    expect(await meant('/api/v1/things/7')).toMatchObject({ did_you_mean: '/things/7' });
  });

  it('tells the client what is wrong with its token', async () => {
    const { calls, request } = await startThings();
    const none = await request('GET /things', { token: null });
    expect(none).toMatchObject({ status: 401, json: { message: 'No access token' } });
    expect(none.headers.get('www-authenticate')).toBe('Bearer realm="crm"');
    for (const authorization of ['good', 'Token good', 'Bearer', 'Bearer a b', '']) {
      const headers = { authorization };
      expect(await request('GET /things', { token: null, headers })).toMatchObject({
        status: 401,
        json: {
          message: 'No access token. Send it as `Authorization: Bearer <token>`.',
          reason: 'token_missing',
        },
      });
    }
    const bad = await request('POST /things', { token: 'bad', body: 'garbage' });
    expect(bad).toMatchObject({ status: 401, json: { message: 'Invalid access token' } });
    expect(bad.headers.get('www-authenticate')).toBe('Bearer realm="crm", error="invalid_token"');
    const inUrl = await request('GET /things?access_token=good', { token: null });
    expect(inUrl).toMatchObject({ status: 400, json: { errors: { access_token: expect.any(String) } } });
    expect(calls).toEqual([]);
  });

  it('names the scope that a token lacks', async () => {
    const { request } = await startThings({
      answer: refused({ name: 'Forbidden', message: 'No.', errors: { scope: 'write' } }),
    });
    const answer = await request('POST /things', { body: {} });
    expect(answer.headers.get('www-authenticate')).toBe(
      'Bearer realm="crm", error="insufficient_scope", scope="write"',
    );
  });

  it('hides a fault, which is logged once with the request id', async () => {
    const fault = Object.assign(new Error('select secret'), { statusCode: 400 });
    const { lines, request } = await startThings({ answer: () => Promise.reject(fault) });
    const answer = await request('GET /things', { headers: { 'x-request-id': 'r9' } });
    expect(answer).toMatchObject({
      status: 500,
      json: { name: 'GeneralError', message: 'Something went wrong.' },
    });
    const faults = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'fault');
    expect(faults).toMatchObject([{ requestId: 'r9', route: '/things', err: { message: 'select secret' } }]);
  });

  it.each(['has space', 'x'.repeat(129), ''])(
    'has a new request id if the given one is invalid: %s',
    async (sent) => {
      const { request } = await startThings();
      const { headers } = await request('GET /things', { headers: { 'x-request-id': sent } });
      expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    },
  );
});
