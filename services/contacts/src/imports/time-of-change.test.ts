import { afterAll, expect, it } from 'vitest';
import { importing } from '../../test/importing.ts';

const contacts = await importing();
afterAll(contacts.close);
const { person, done } = contacts;

const update = { duplicates: 'update' } as const;

it.each([
  ['text/csv', 'Email,Cell,Last Modified\nkim@x.example,6045554572,4/5/2019'],
  [
    'application/x-ndjson',
    '{"email":"kim@x.example","mobile_phone":"6045554572","modified_at":"2019-04-05T00:00:00Z"}',
  ],
] as const)(
  'a contact that a file updates has changed now, whatever time the file says: %s',
  async (type, text) => {
    const anna = await person();
    const api = contacts.as(anna);
    const before = await api.contacts.create({ email: 'kim@x.example' });
    expect(await done(anna, text, { ...update, type })).toMatchObject({ updated: 1, failed: 0 });
    const changed = { modified_at: { $gte: before.modified_at } };
    expect((await api.contacts.find(changed)).data).toMatchObject([{ mobile_phone: '6045554572' }]);
  },
);

it('a contact changes only if a row of an export has another value', async () => {
  const anna = await person();
  const api = contacts.as(anna).contacts;
  for (const email of ['kim@x.example', 'lee@x.example'])
    await api.create({ email, company: 'Acme', addresses: [{ city: 'Reno' }] });
  const before = (await api.find({ $sort: { id: 1 } })).data;
  const [kim, lee] = before;
  const row = (one: typeof kim, company: string) => `${one?.email},${company},Reno,${one?.modified_at}`;
  const text = ['email,company,address_1_city,modified_at', row(kim, 'Acme'), row(lee, 'Other')].join('\n');
  expect(await done(anna, text, update)).toMatchObject({ updated: 2, failed: 0 });
  const after = (await api.find({ $sort: { id: 1 } })).data;
  expect(after[0]?.modified_at).toBe(kim?.modified_at);
  expect(after[1]).toMatchObject({ company: 'Other', addresses: [{ id: lee?.addresses[0]?.id }] });
  expect(Date.parse(String(after[1]?.modified_at))).toBeGreaterThan(Date.parse(String(lee?.modified_at)));
});

it('a contact that a file adds keeps the time of the file', async () => {
  const anna = await person();
  const text = 'Email,Last Modified\nkim@x.example,2019-04-05T00:00:00Z';
  expect(await done(anna, text)).toMatchObject({ created: 1 });
  expect((await contacts.as(anna).contacts.find({})).data).toMatchObject([
    { email: 'kim@x.example', modified_at: '2019-04-05T00:00:00.000Z' },
  ]);
});
