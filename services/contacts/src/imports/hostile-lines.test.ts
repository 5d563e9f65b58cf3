import { afterAll, expect, it } from 'vitest';
import { importing } from '../../test/importing.ts';
import { linesType } from './import.api.ts';

const contacts = await importing();
afterAll(contacts.close);
const { person, done, errorsOf } = contacts;

it.each([
  ['NUL', '{"first_name":"Ada","do_not_x\\u0000":true}'],
  ['half a surrogate pair', '{"first_name":"Ada","do_not_x\\ud800":true}'],
])(
  'a line with %s in the name of a field has an error that says so, and the others are imported',
  async (_, line) => {
    const anna = await person();
    const text = ['{"first_name":"Bea"}', line, '{"first_name":"Cleo"}'].join('\n');
    for (const dry_run of [true, false]) {
      const one = await done(anna, text, { type: linesType, dry_run });
      expect(one).toMatchObject({ status: 'Done', created: 2, failed: 1 });
      expect(await errorsOf(anna, one.id)).toMatch(/do_not_x\ufffd: names no field/);
    }
  },
);
