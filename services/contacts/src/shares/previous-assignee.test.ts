import { unavailable } from '@crm/contract';
import { linkedPeers } from '@crm/service';
import { openTransaction, untilWaiting } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { officesIn, teamed } from '../../test/office.ts';
import { contactsWithIdentity } from '../../test/with-identity.ts';
import { undoDue } from './undo-delegations.ts';

const contacts = await contactsWithIdentity();
afterAll(contacts.close);
const office = officesIn(contacts);
const { now, rows } = contacts;
const stopping = new AbortController().signal;

/** A contact that was Mia's when the broker of its owner assigned it to somebody else. */
async function reassigned() {
  const { lee: alone, ben, acting, ...delegation } = await office();
  const mia = await contacts.person();
  const { user: lee, leave } = await teamed(contacts, alone, [mia, ben]);
  const { id } = await contacts.as(lee).contacts.create({ assigned_user_id: mia.id });
  const api = contacts.as({ ...lee, act: acting.act }).contacts;
  await api.patch({ id, assigned_user_id: ben.id });
  const assignee = async () =>
    (await rows('select assigned_user_id from contacts where id = $1', [id]))[0]?.assigned_user_id;
  return { ...delegation, id, lee, ben, mia, leave, assignee };
}

const disable = ({ id: user }: { readonly id: number }) => contacts.identity.asSystem.users.disable({ user });

describe('the previous assignee of a contact that a broker has assigned', () => {
  it('gets it back when the delegation ends', async () => {
    const { mia, end, assignee } = await reassigned();
    await end();
    expect(await assignee()).toBe(mia.id);
  });

  it('does not get it back after leaving the team of its owner', async () => {
    const { id, mia, end, leave, assignee } = await reassigned();
    await leave(mia);
    const before = (await contacts.published()).length;
    await end();
    expect(await assignee()).toBeNull();
    await expect(contacts.as(await now(mia)).contacts.get({ id })).rejects.toMatchObject({
      name: 'NotFound',
    });
    const changes = (await contacts.published()).slice(before).map(({ data }) => data);
    expect(changes).toMatchObject([{ contact_id: id, assigned_user_id: null, fields: ['assigned_user_id'] }]);
  });

  it('does not get it back with a disabled account', async () => {
    const { mia, end, assignee } = await reassigned();
    await disable(mia);
    await end();
    expect(await assignee()).toBeNull();
  });

  it('gets it back from somebody of their team if the account of the owner is disabled', async () => {
    const { lee, ben, mia, end, assignee } = await reassigned();
    await teamed(contacts, ben, [mia]);
    await disable(lee);
    await end();
    expect(await assignee()).toBe(mia.id);
  });

  it('does not get it back from somebody who no longer works with them if the account of the owner is disabled', async () => {
    const { lee, end, assignee } = await reassigned();
    await disable(lee);
    await end();
    expect(await assignee()).toBeNull();
  });

  it('waits, untried, while identity does not respond', async () => {
    const { mia, announceEnd, end, assignee } = await reassigned();
    const silent = async () => {
      throw unavailable();
    };
    const unanswered = { ...contacts.workerContext, peers: linkedPeers({ identity: silent }, 'contacts') };
    await announceEnd();
    await undoDue(unanswered, stopping);
    const waiting = 'select undo_attempts from delegations where undo_due_at is not null';
    expect(await rows(waiting)).toEqual([{ undo_attempts: 0 }]);
    expect(await assignee()).not.toBe(mia.id);
    await end();
    expect(await assignee()).toBe(mia.id);
  });

  it('is asked about again if somebody else would get it back by now', async () => {
    const { id, ben, mia, announceEnd, end, assignee } = await reassigned();
    const note = 'update delegated_assignments set previous_user_id = $2 where contact_id = $1';
    await rows(note, [id, null]);
    await announceEnd();
    await using held = await openTransaction(
      contacts.database,
      'select from contacts where id = $1 for update',
      [id],
    );
    const undoing = undoDue(contacts.workerContext, stopping);
    await untilWaiting(rows, [undoing]);
    await rows(note, [id, mia.id]);
    await held.rollback();
    await undoing;
    expect(await assignee()).toBe(ben.id);
    await end();
    expect(await assignee()).toBe(mia.id);
  });
});
