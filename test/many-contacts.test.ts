import { afterAll, describe, expect, it } from 'vitest';
import type { Json } from './system/api.ts';
import { until } from './system/until.ts';
import { type Person, shapesFor, startSystem } from './system.ts';

describe.each(shapesFor(import.meta))('%s: many contacts', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);

  it('are sent as one file of all that the caller sees', async () => {
    const [anna, ben] = [await system.person(), await system.person()];
    await ben.api.post('/contacts', { first_name: 'Hidden' });
    await system.rows(
      'contacts',
      `insert into contacts (owner_user_id, first_name, created_at, modified_at)
       select $1, 'Person ' || n, now(), now() from generate_series(1, 600) n`,
      [anna.id],
    );
    const get = (query: string, accept: string) =>
      fetch(`${system.url}/exports/contacts${query}`, {
        headers: { authorization: `Bearer ${anna.token}`, accept },
      });
    const csv = await get('', 'text/csv');
    expect([csv.status, csv.headers.get('content-type'), csv.headers.get('content-disposition')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'attachment; filename="contacts.csv"',
    ]);
    const lines = (await csv.text()).trimEnd().split('\n');
    expect([
      lines.length,
      lines[0]?.startsWith('first_name,'),
      lines[600]?.startsWith('Person 600,'),
    ]).toEqual([601, true, true]);
    const ndjson = await get('?filter[first_name][$like]=Person 59%25', 'application/x-ndjson');
    expect(ndjson.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    const records = (await ndjson.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(records.map(({ first_name }) => first_name)).toHaveLength(11);
    const { body } = await anna.api.get(`/contacts/${records[0].id}`);
    expect(records[0]).toEqual({ ...body, text_opt_out: false, email_opt_out: false });
    const wrong = await get('?filter[nmae]=x', 'text/csv');
    expect([wrong.status, ((await wrong.json()) as Json).errors]).toEqual([
      400,
      { 'filter.nmae': expect.any(String) },
    ]);
    expect((await fetch(`${system.url}/exports/contacts`)).status).toBe(401);
  });

  it('are changed by a bulk operation soon after it was asked for', async () => {
    const [anna, ben] = [await system.person(), await system.person()];
    for (const { api } of [anna, ben])
      for (const first_name of ['Ada', 'Ben', 'Cleo'])
        await api.post('/contacts', { first_name, company: 'Old' });
    const { status, headers, body } = await anna.api.post('/bulk-operations', {
      action: 'patch',
      changes: { company: 'New' },
      filter: { $or: [{ first_name: 'Ada' }, { first_name: 'Ben' }] },
    });
    expect([status, headers.location, body.total]).toEqual([202, `/bulk-operations/${body.id}`, 2]);
    const path = `/bulk-operations/${body.id}`;
    await expect.poll(async () => (await anna.api.get(path)).body.status).toBe('Done');
    expect((await anna.api.list('/contacts?company=New')).total).toBe(2);
    expect((await ben.api.list('/contacts?company=Old')).total).toBe(3);
    expect((await ben.api.get(path)).status).toBe(404);
    expect((await ben.api.list('/bulk-operations')).total).toBe(0);
    const { data } = await anna.api.list('/audit-events?action=contacts.patch&$limit=5');
    expect(data.map(({ user_id }) => user_id)).toEqual([anna.id, anna.id]);
  });

  describe('in a file', () => {
    const sent = async (
      path: string,
      body: string | Uint8Array<ArrayBuffer> | FormData,
      headers: Record<string, string>,
      token: string,
    ) => {
      const authorization = `Bearer ${token}`;
      const answer = await fetch(`${system.url}${path}`, {
        method: 'POST',
        headers: { authorization, ...headers },
        body,
      });
      return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Json };
    };
    const csv = { 'content-type': 'text/csv; charset=utf-8' };
    const ended = async ({ api }: Person, id: unknown) => {
      const read = async () => (await api.get(`/imports/${id}`)).body;
      return until(async () => ((await read()).ended_at ? read() : undefined));
    };

    it('are imported soon after it has arrived, from CSV, from lines of JSON and from a form', async () => {
      const anna = await system.person();
      const options = '?tags=Spring&mapping[Who]=first_name&dry_run=false';
      const first = await sent(
        `/imports${options}`,
        'Who,Email\nÄda,ada@example.com\nBen,no',
        csv,
        anna.token,
      );
      expect([first.status, first.headers.get('location'), first.body]).toEqual([
        202,
        `/imports/${first.body.id}`,
        expect.objectContaining({ status: 'Waiting', bytes: 37, user_id: anna.id, tags: 'Spring' }),
      ]);
      expect(await ended(anna, first.body.id)).toMatchObject({ status: 'Done', created: 1, failed: 1 });
      const errors = await fetch(`${system.url}/imports/${first.body.id}/errors`, {
        headers: { authorization: `Bearer ${anna.token}` },
      });
      expect([errors.headers.get('content-type'), errors.headers.get('content-disposition')]).toEqual([
        'text/csv; charset=utf-8',
        'attachment; filename="errors.csv"',
      ]);
      expect(await errors.text()).toMatch(
        /^Who,Email,line,reason\nBen,no,3,"Email: must be one e-mail address/,
      );

      const exported = await fetch(`${system.url}/exports/contacts`, {
        headers: { authorization: `Bearer ${anna.token}`, accept: 'application/x-ndjson' },
      });
      const ben = await system.person();
      const lines = await sent(
        '/imports',
        await exported.text(),
        { 'content-type': 'application/x-ndjson' },
        ben.token,
      );
      expect(await ended(ben, lines.body.id)).toMatchObject({ status: 'Done', created: 1 });
      expect((await ben.api.list('/contacts')).data).toMatchObject([{ first_name: 'Äda', tags: 'Spring' }]);

      const form = new FormData();
      form.set('mapping[Who]', 'last_name');
      form.set('dry_run', 'true');
      form.set('file', new File(['Who\nCy\n'], 'people.csv', { type: 'application/vnd.ms-excel' }));
      const third = await sent('/imports', form, {}, anna.token);
      const tried = { status: 'Done', name: 'people.csv', dry_run: true, created: 1 };
      expect(await ended(anna, third.body.id)).toMatchObject(tried);
      expect((await anna.api.list('/contacts')).total).toBe(1);
      const lineForm = new FormData();
      lineForm.set('file', new File(['{"last_name":"Cy"}'], 'people.jsonl', { type: '' }));
      const fourth = await sent('/imports?name=own', lineForm, {}, anna.token);
      expect(await ended(anna, fourth.body.id)).toMatchObject({ name: 'own', created: 1 });
    });

    const bodies = {
      'the body': [csv, (text: string) => text],
      'a form': [
        { 'content-type': 'multipart/form-data; boundary=b' },
        (text: string) =>
          `--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${text}\r\n--b--\r\n`,
      ],
    } as const;

    it.each(['the body', 'a form'] as const)(
      'of many parts in %s are all imported, and an upload that is repeated with its key is one import',
      async (where) => {
        const [type, bodyOf] = bodies[where];
        const anna = await system.person();
        const long = 'x'.repeat(9_000);
        const rows = Array.from({ length: 70 }, (_, n) => `Pérson ${n},"${n % 2 ? long : 'é'}"`);
        const text = ['first_name,custom:Note', ...rows].join('\n');
        const headers = { ...type, 'idempotency-key': 'upload' };
        const options = '/imports?create_missing=true&mapping[custom:Note]=';
        let cutOff = () => {};
        const cut = new ReadableStream({
          start(controller) {
            controller.enqueue(Buffer.from(bodyOf(text)).subarray(0, 280_001));
            cutOff = () => controller.error(new Error('cut off'));
          },
        });
        const init = { method: 'POST', headers: { ...headers, authorization: `Bearer ${anna.token}` } };
        const first = fetch(`${system.url}${options}`, { ...init, body: cut, duplex: 'half' });
        await expect.poll(async () => (await anna.api.list('/imports')).data[0]?.bytes).toBeGreaterThan(0);
        cutOff();
        await first.catch(() => undefined);
        const ids = [];
        for (let times = 0; times < 2; times++)
          ids.push((await sent(options, bodyOf(text), headers, anna.token)).body.id);
        expect((await anna.api.list('/imports')).data.map(({ id }) => id)).toEqual([ids[0]]);
        expect(ids[1]).toBe(ids[0]);
        expect(await ended(anna, ids[0])).toMatchObject({
          bytes: Buffer.byteLength(text),
          created: 70,
          columns: [{ field: 'first_name' }, { header: 'custom:Note', field: null }],
        });
        const other = await sent(options, bodyOf(`${text}\nMore,`), headers, anna.token);
        expect(other.status).toBe(422);
      },
    );

    it.each([
      ['an empty file', '', csv, 400, 'file'],
      ['no text', new Uint8Array([0xff, 0xfe, 0x41, 0x00]), csv, 400, undefined],
      ['no UTF-8', new Uint8Array([0x41, 0x2c, 0xe9, 0x0a]), csv, 400, undefined],
      ['an unknown column', 'Nothing\n1', csv, 400, 'file'],
      ['another type', '{}', { 'content-type': 'application/json' }, 415, undefined],
      ['no type', new Uint8Array([0x41]), {}, 415, undefined],
      ['a form without a boundary', 'x', { 'content-type': 'multipart/form-data' }, 400, undefined],
      [
        'a form that is cut off',
        '--b\r\nContent-Disposition: form-data; name="a"',
        { 'content-type': 'multipart/form-data; boundary=b' },
        400,
        undefined,
      ],
      [
        'a file of a form that is cut off',
        '--b\r\nContent-Disposition: form-data; name="a"; filename="a.csv"\r\n\r\nfirst_name\nAn',
        { 'content-type': 'multipart/form-data; boundary=b' },
        400,
        undefined,
      ],
      [
        'a form without a file',
        '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n--b--\r\n',
        { 'content-type': 'multipart/form-data; boundary=b' },
        400,
        'file',
      ],
      [
        'a form with options after the file',
        '--b\r\nContent-Disposition: form-data; name="a"; filename="a.csv"\r\n\r\nfirst_name\nAnna\r\n--b\r\nContent-Disposition: form-data; name="dry_run"\r\n\r\ntrue\r\n--b--\r\n',
        { 'content-type': 'multipart/form-data; boundary=b' },
        400,
        'body',
      ],
      ['a compressed file', 'x', { ...csv, 'content-encoding': 'gzip' }, 415, undefined],
    ] as const)('are refused with a reason if it is %s', async (_, body, headers, status, named) => {
      const anna = await system.person();
      const answer = await sent('/imports', body, { ...headers }, anna.token);
      expect([answer.status, Object.keys((answer.body.errors ?? {}) as Json)]).toEqual([
        status,
        named ? [named] : [],
      ]);
      const { data } = await anna.api.list('/imports');
      expect(data.filter(({ status }) => status !== 'Failed')).toEqual([]);
      expect(data.map(({ error }) => String(error).length > 10)).toEqual(data.map(() => true));
    });

    it('are refused before the file is read if an option or the token is wrong', async () => {
      const anna = await system.person();
      const reader = await system.token(anna, 'read');
      for (const [path, token, status, named] of [
        ['/imports?dryrun=true', anna.token, 400, 'dryrun'],
        ['/imports?mapping[A]=nosuch', anna.token, 400, 'mapping.A'],
        ['/imports?dry_run=maybe', anna.token, 400, 'dry_run'],
        ['/imports', reader.token, 403, 'scope'],
        ['/imports', 'nonsense', 401, undefined],
      ] as const) {
        const answer = await sent(path, 'first_name\nAnna', csv, token);
        expect([path, answer.status, Object.keys((answer.body.errors ?? {}) as Json)]).toEqual([
          path,
          status,
          named ? [named] : [],
        ]);
      }
      expect((await anna.api.list('/imports')).total).toBe(0);
    });
  });
});
