import { afterAll, expect, it } from 'vitest';
import { importing } from '../../test/importing.ts';

const contacts = await importing();
afterAll(contacts.close);
const { person, done, ofUser } = contacts;

it.each([
  ['text/csv', 'First Name\nAda\nBea'],
  ['application/x-ndjson', '{"first_name":"Ada"}\n{"first_name":"Bea"}'],
] as const)('a dry run knows the rows that the file has added before: %s', async (type, text) => {
  const [anna, ben] = [await person(), await person()];
  expect(await done(anna, text, { type })).toMatchObject({ created: 2 });
  const again = { created: 0, updated: 0, skipped: 2, failed: 0, warned: 0 };
  for (const dry_run of [true, false]) expect(await done(anna, text, { type, dry_run })).toMatchObject(again);
  expect(await done(ben, text, { type, dry_run: true })).toMatchObject({ created: 2, skipped: 0 });
  const [first] = await ofUser(anna);
  await contacts.as(anna).contacts.remove({ id: first?.id ?? 0 });
  for (const dry_run of [true, false])
    expect(await done(anna, text, { type, dry_run })).toMatchObject({ created: 1, skipped: 1 });
});

it('a dry run does not refuse a line that was added before, although what it refers to was removed', async () => {
  const anna = await person();
  const { id } = await contacts.as(anna).hotnesses.create({ name: 'Glowing' });
  const text = `{"first_name":"Ada","hotness_id":${id}}`;
  const type = 'application/x-ndjson';
  expect(await done(anna, text, { type })).toMatchObject({ created: 1 });
  await contacts.as(anna).hotnesses.remove({ id });
  for (const dry_run of [true, false])
    expect(await done(anna, text, { type, dry_run })).toMatchObject({ skipped: 1, failed: 0 });
});
