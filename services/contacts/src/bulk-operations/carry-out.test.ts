import type { User } from '@crm/auth';
import { linkedPeers } from '@crm/service';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsWithIdentity } from '../../test/with-identity.ts';
import { carryOutDue } from './carry-out.ts';
import { dueOperations, postponeOperation } from './portion.queries.ts';

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

  it('that has failed is not noted as an attempt of the next one, which another instance has begun', async () => {
    const { query } = workerContext.database;
    const anna = await person();
    const { id } = await operations(anna).create({
      action: 'tag',
      tags: 'Late',
      contact_ids: await add(anna, 2),
    });
    const attempts = async () =>
      (await rows('select attempts from bulk_operations where id = $1', [id]))[0]?.attempts;
    const due = (await dueOperations(query, 100)).find((one) => one.id === id);
    if (!due) throw new Error('The operation is not due.');
    await postponeOperation(query, due, { attempts: 4, seconds: 0 });
    expect(await attempts()).toBe(4);
    await rows('update bulk_operations set processed = 1, attempts = 0 where id = $1', [id]);
    await postponeOperation(query, due, { attempts: 5, seconds: 0 });
    expect(await attempts()).toBe(0);
  });
});
