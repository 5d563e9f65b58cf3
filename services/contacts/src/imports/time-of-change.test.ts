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

it('a contact that a file adds keeps the time of the file', async () => {
  const anna = await person();
  const text = 'Email,Last Modified\nkim@x.example,2019-04-05T00:00:00Z';
  expect(await done(anna, text)).toMatchObject({ created: 1 });
  expect((await contacts.as(anna).contacts.find({})).data).toMatchObject([
    { email: 'kim@x.example', modified_at: '2019-04-05T00:00:00.000Z' },
  ]);
});
