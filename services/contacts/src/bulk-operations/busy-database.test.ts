import { maxPortionAttempts } from '@crm/service';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsWithIdentity } from '../../test/with-identity.ts';
import { carryOutDue } from './carry-out.ts';

const contacts = await contactsWithIdentity();
afterAll(contacts.close);
const { rows, workerContext } = contacts;
const run = () => carryOutDue(workerContext, new AbortController().signal);

describe('a bulk operation while the database cannot write the last statement of a change', () => {
  it.each([
    ['the tables are locked', '55P03'],
    ['other changes collide with it', '40P01'],
    ['statements are too slow', '57014'],
  ])('because %s waits and leaves out no contact', async (_why, code) => {
    const anna = contacts.as(await contacts.person());
    const { id: contact } = await anna.contacts.create({ tags: 'Buyer' });
    const { id } = await anna.bulkOperations.create({ action: 'tag', tags: 'VIP', contact_ids: [contact] });
    await rows(`create function fail() returns trigger language plpgsql
      as $$ begin raise exception using errcode = '${code}'; end $$`);
    await rows('create trigger fail before insert on contact_tags for each row execute function fail()');
    for (let attempt = 0; attempt <= maxPortionAttempts; attempt++) {
      await run();
      await rows('update bulk_operations set due_at = now() where id = $1', [id]);
    }
    await rows('drop function fail cascade');
    await run();
    expect(await anna.bulkOperations.get({ id })).toMatchObject({ status: 'Done', failed: 0 });
    expect(await anna.contacts.get({ id: contact })).toMatchObject({ tags: 'Buyer, VIP' });
  });
});
