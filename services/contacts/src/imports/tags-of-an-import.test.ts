import { afterAll, expect, it } from 'vitest';
import { importing } from '../../test/importing.ts';

const contacts = await importing();
afterAll(contacts.close);
const { person, done, ofUser } = contacts;

it('a tag of an import that updates nothing marks exactly the contacts that it has added', async () => {
  const anna = await person();
  for (const email of ['skipped@example.com', 'out@example.com'])
    await contacts.as(anna).contacts.create({ email });
  const text = 'Email,Email Opt Out\nskipped@example.com,\nout@example.com,yes\nnew@example.com,\n,no';
  const imported = await done(anna, text, { tags: 'import 1' });
  expect(imported).toMatchObject({ created: 1, updated: 1, skipped: 1, failed: 1 });
  const { data } = await contacts.as(anna).contacts.find({ tags: 'import 1' });
  expect(data.map(({ email }) => email)).toEqual(['new@example.com']);
  expect(await ofUser(anna)).toHaveLength(3);
});
