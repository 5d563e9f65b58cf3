import { maxPortionAttempts } from '@crm/service';
import { afterAll, describe, expect, it } from 'vitest';
import { csv, importing, people } from '../../test/importing.ts';

const contacts = await importing();
afterAll(contacts.close);
const { person, rows, run, send } = contacts;

describe('an import while the database cannot add contacts', () => {
  it.each([
    ['a table is locked', '55P03'],
    ['the disk is full', '53100'],
    ['statements are too slow', '57014'],
    ['connections are ended', '57P01'],
  ])('because %s waits and leaves out no row', async (_why, code) => {
    const anna = await person();
    await rows(`create function fail() returns trigger language plpgsql
      as $$ begin raise exception using errcode = '${code}'; end $$`);
    await rows('create trigger fail before insert on contacts for each row execute function fail()');
    const id = await send(anna, csv(people(3)));
    for (let attempt = 0; attempt <= maxPortionAttempts; attempt++) {
      await run();
      await rows('update imports set due_at = now() where id = $1', [id]);
    }
    await rows('drop function fail cascade');
    await run();
    expect(await contacts.as(anna).imports.get({ id })).toMatchObject({
      status: 'Done',
      created: 3,
      failed: 0,
    });
  });
});
