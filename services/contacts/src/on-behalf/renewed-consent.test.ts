import type { User } from '@crm/auth';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsWithIdentity } from '../../test/with-identity.ts';
import { carryOutDue } from '../bulk-operations/carry-out.ts';
import { undoDue } from '../shares/undo-delegations.ts';

const contacts = await contactsWithIdentity();
afterAll(contacts.close);
const { identity, workerContext } = contacts;
const stopping = new AbortController().signal;

/** An agent who has allowed a broker to act, and an operation of this broker that assigns a contact to the agent. */
async function waiting() {
  const [kim, lee] = [await contacts.person({ is_broker: true }), await contacts.person()];
  const consent = () => identity.asSystem.subAccounts.consent({ broker: kim.id, user: lee.id });
  await consent();
  const { access_token } = await identity.as(kim).subAccounts.create({ user_id: lee.id });
  const acting = (await identity.asSystem.actors.resolve({ token: access_token })) as User;
  const { id } = await contacts.as(lee).contacts.create({});
  const operation = await contacts
    .as(acting)
    .bulkOperations.create({ action: 'assign', assigned_user_id: lee.id, contact_ids: [id] });
  let received = (await identity.published()).length;
  return {
    consent,
    /** Ends the consent, and undoes what was done under it. */
    async end() {
      await identity.asSystem.users.changePassword({ user: lee.id, password: 'another one' });
      const events = await identity.published();
      for (const event of events.slice(received)) await contacts.receive(event);
      received = events.length;
      await undoDue(workerContext, stopping);
    },
    async carriedOut() {
      await carryOutDue(workerContext, stopping);
      return contacts.as(lee).bulkOperations.get({ id: operation.id });
    },
    assignee: async () => (await contacts.as(lee).contacts.get({ id })).assigned_user_id,
    lee,
  };
}

describe('a bulk operation of a broker', () => {
  it('is carried out under the next consent of the user, and undone with that one', async () => {
    const { lee, end, consent, carriedOut, assignee } = await waiting();
    await end();
    await consent();
    expect(await carriedOut()).toMatchObject({ status: 'Done', failed: 0 });
    expect(await assignee()).toBe(lee.id);
    await end();
    expect(await assignee()).toBeNull();
  });

  it('is not carried out between the two', async () => {
    const { end, consent, carriedOut, assignee } = await waiting();
    await end();
    expect(await carriedOut()).toMatchObject({ status: 'Failed' });
    await consent();
    await carriedOut();
    expect(await assignee()).toBeNull();
  });
});
