import { afterAll, describe, expect, it } from 'vitest';
import type { Json } from './system/api.ts';
import { shapesFor, startSystem } from './system.ts';

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
    expect((await anna.api.get(`/contacts/${records[0].id}`)).body).toEqual(records[0]);
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
    await expect.poll(async () => (await anna.api.get(path)).body.status, { timeout: 15_000 }).toBe('Done');
    expect((await anna.api.list('/contacts?company=New')).total).toBe(2);
    expect((await ben.api.list('/contacts?company=Old')).total).toBe(3);
    expect((await ben.api.get(path)).status).toBe(404);
    expect((await ben.api.list('/bulk-operations')).total).toBe(0);
    const { data } = await anna.api.list('/audit-events?action=contacts.patch&$limit=5');
    expect(data.map(({ user_id }) => user_id)).toEqual([anna.id, anna.id]);
  });
});
