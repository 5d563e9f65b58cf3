import type { User } from '@crm/auth';
import { linkedPeers } from '@crm/service';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsWithIdentity } from '../../test/with-identity.ts';
import { carryOutDue } from './carry-out.ts';

const contacts = await contactsWithIdentity();
afterAll(contacts.close);
const { person, rows, workerContext } = contacts;

const operations = (user: User) => contacts.as(user).bulkOperations;

async function add(user: User, count: number): Promise<number[]> {
  const ids = [];
  for (let n = 0; n < count; n++) ids.push((await contacts.as(user).contacts.create({})).id);
  return ids;
}

/** Carries out what is due, and does something else once, between a portion was due and was begun. */
async function carryOutAfter(act: () => Promise<unknown>): Promise<void> {
  let isDone = false;
  const identity: typeof contacts.identity.call = async (call) => {
    if (!isDone) {
      isDone = true;
      await act();
    }
    return contacts.identity.call(call);
  };
  const context = { ...workerContext, peers: linkedPeers({ identity }, 'contacts') };
  await carryOutDue(context, new AbortController().signal);
}

describe('a portion of a bulk operation', () => {
  it('is not begun when the operation was canceled since the portion was due', async () => {
    const anna = await person();
    const contact_ids = await add(anna, 2);
    const { id } = await operations(anna).create({ action: 'remove', contact_ids });
    await carryOutAfter(() => operations(anna).patch({ id, status: 'Canceled' }));
    expect(await operations(anna).get({ id })).toMatchObject({ status: 'Canceled', processed: 0 });
    expect((await contacts.as(anna).contacts.find({})).total).toBe(2);
  });

  it('is not done again when another instance has done it since it was due', async () => {
    const anna = await person();
    const contact_ids = await add(anna, 3);
    const { id } = await operations(anna).create({ action: 'tag', tags: 'Once', contact_ids });
    await carryOutAfter(() => rows('update bulk_operations set processed = 2 where id = $1', [id]));
    expect(await rows('select processed from bulk_operations where id = $1', [id])).toEqual([
      { processed: 2 },
    ]);
    await carryOutAfter(async () => undefined);
    expect(await operations(anna).get({ id })).toMatchObject({ status: 'Done', processed: 3 });
    const { data } = await contacts.as(anna).contacts.find({ tags: 'Once' });
    expect(data.map((contact) => contact.id)).toEqual(contact_ids.slice(2));
  });
});
