import { afterAll, describe, expect, it } from 'vitest';
import { importing } from '../../test/importing.ts';
import { linesType } from './import.api.ts';

const contacts = await importing();
afterAll(contacts.close);
const { person, done, ofUser, errorsOf } = contacts;
const ofLines = { type: linesType } as const;
const lines = (...records: readonly object[]) => records.map((one) => JSON.stringify(one)).join('\n');

describe('a line of JSON', () => {
  it.each([
    {},
    { name: 'Ada Lovelace', email_address: 'ada@example.com' },
    { firstName: 'Ada', Email: 'ada@example.com' },
    { first_name: null, last_name: '', email: ' ', addresses: [], custom_fields: [] },
    { email_address: 'ada@example.com', email_opt_out: true },
    { id: 5, owner_user_id: 1, hotness: null },
  ])('without a value in any field of a contact adds none: %j', async (record) => {
    const anna = await person();
    const options = { ...ofLines, tags: 'Spring' };
    for (const dry_run of [true, false]) {
      const { id, ...counts } = await done(anna, lines(record), { ...options, dry_run });
      expect(counts).toMatchObject({ status: 'Done', created: 0, failed: 1 });
      expect(await errorsOf(anna, id)).toContain('has no value in any field of a contact');
    }
    expect(await ofUser(anna)).toEqual([]);
  });

  it('is imported without fields that a contact does not have, with a warning that names them', async () => {
    const anna = await person();
    const more = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`x${n}`, n]));
    const text = lines({ first_name: 'Ada', email_address: 'ada@example.com', ...more });
    const { id, ...counts } = await done(anna, text, ofLines);
    expect(counts).toMatchObject({ created: 1, failed: 0, warned: 1 });
    expect((await contacts.as(anna).imports.warnings({ id })).text).toContain(
      String.raw`\"email_address\", \"x0\", \"x1\", \"x2\", \"x3\" and 4 more`,
    );
  });

  it('as an export or a file of errors has it is imported without a warning', async () => {
    const [anna, ben] = [await person(), await person()];
    await contacts.as(anna).contacts.create({ first_name: 'Ada' });
    const [line = ''] = (await contacts.as(anna).exports.contacts(ofLines)).text.split('\n');
    const corrected = JSON.stringify({ ...JSON.parse(line), line: 7, reason: 'email: is no address' });
    expect(await done(ben, corrected, ofLines)).toMatchObject({ created: 1, failed: 0, warned: 0 });
  });
});
