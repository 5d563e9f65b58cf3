import { afterAll, expect, it } from 'vitest';
import { importing } from '../../test/importing.ts';

const contacts = await importing();
afterAll(contacts.close);
const { person, done, ofUser } = contacts;

const mark = '\ufeff';

it('an export for spreadsheets begins with the mark by which they know UTF-8, once, and is imported with it', async () => {
  const [anna, ben] = [await person(), await person()];
  const drafts = Array.from({ length: 300 }, (_, n) => ({ first_name: `Zoë ${n}` }));
  for (const draft of drafts) await contacts.as(anna).contacts.create(draft);
  let [text, cursor]: [string, string | undefined] = ['', undefined];
  do {
    const part = await contacts.as(anna).exports.contacts({ cursor });
    [text, cursor] = [text + part.text, part.next ?? undefined];
  } while (cursor !== undefined);
  expect([text.indexOf(mark), text.lastIndexOf(mark)]).toEqual([0, 0]);
  expect(await done(ben, text)).toMatchObject({ created: 300, failed: 0 });
  expect((await ofUser(ben)).map(({ first_name }) => ({ first_name }))).toEqual(drafts);
});

it('an export without contacts begins with the mark too', async () => {
  const { text } = await contacts.as(await person()).exports.contacts({});
  expect(text).toMatch(/^\ufeff\w+,/);
});

it('an export as lines of JSON has no mark, and such lines are imported with one', async () => {
  const [anna, ben] = [await person(), await person()];
  await contacts.as(anna).contacts.create({ first_name: 'Zoë' });
  const type = 'application/x-ndjson';
  const { text } = await contacts.as(anna).exports.contacts({ type });
  expect(text.startsWith('{')).toBe(true);
  expect(await done(ben, mark + text, { type })).toMatchObject({ created: 1, failed: 0 });
});
