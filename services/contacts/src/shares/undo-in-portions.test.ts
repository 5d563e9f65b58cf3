import type { User } from '@crm/auth';
import { delegationEnded } from '@crm/events';
import { killWaiting, openTransaction, someone, untilWaiting } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsWithIdentity } from '../../test/with-identity.ts';
import { consistency } from '../consistency.queries.ts';
import { undoDue } from './undo-delegations.ts';

const contacts = await contactsWithIdentity();
afterAll(contacts.close);
const { rows } = contacts;

const portionSize = 3;
const undo = () => undoDue(contacts.workerContext, new AbortController().signal, portionSize);

let delegations = 0;

/** Contacts of an agent, which a broker has shared with and assigned to a teammate before the delegation ended. */
async function ended(count: number) {
  delegations += 1;
  const [kim, ben] = [someone({ is_broker: true }), someone()];
  const lee: User = { ...someone(), teammate_ids: [ben.id] };
  const acting: User = { ...lee, act: { id: kim.id, delegation_id: delegations } };
  const ids: number[] = [];
  for (let n = 0; n < count; n++) {
    const { id } = await contacts.as(lee).contacts.create({});
    if (n !== 1) await contacts.as(acting).shares.create({ contact_id: id, user_id: ben.id });
    if (n !== 2) await contacts.as(acting).contacts.patch({ id, assigned_user_id: ben.id });
    ids.push(id);
  }
  const data = { delegation_id: delegations, broker_user_id: kim.id, user_id: lee.id };
  const seen = async () => (await contacts.as(ben).contacts.find({ $limit: 0 })).total;
  return {
    lee,
    ben,
    ids,
    seen,
    delegation_id: delegations,
    end: () => contacts.deliver(delegationEnded, data),
  };
}

/** Locks a contact, as a request that changes it does. */
const locked = (id = 0) =>
  openTransaction(contacts.database, 'select from contacts where id = $1 for update', [id]);

const changed = async (from: number) =>
  (await contacts.published())
    .slice(from)
    .filter(({ type }) => type === 'crm.contacts.contact.changed')
    .map(({ data }) => Number(data.contact_id));

describe('the end of a delegation', () => {
  it('is noted without waiting for any of its contacts', async () => {
    const { ids, end, seen } = await ended(1);
    {
      await using _ = await locked(ids[0]);
      await end();
    }
    await undo();
    expect(await seen()).toBe(0);
  });

  it('is undone in portions, once, although a process is killed between them and the event comes again', async () => {
    const { ids, end, seen, lee } = await ended(8);
    const before = (await contacts.published()).length;
    await end();
    await using held = await locked(ids[4]);
    const first = undo();
    await untilWaiting(rows, [first]);
    expect(await seen()).toBe(8 - portionSize);
    await killWaiting(rows);
    await first;
    await held.rollback();
    expect(await seen()).toBe(8 - portionSize);
    await end();
    await Promise.all([undo(), undo()]);
    await undo();
    expect(await seen()).toBe(0);
    await end();
    await undo();
    expect((await changed(before)).toSorted((a, b) => a - b)).toEqual(ids);
    const { data } = await contacts.as(lee).contacts.find({ $limit: 20 });
    expect(data.map(({ assigned_user_id }) => assigned_user_id)).toEqual(ids.map(() => null));
  });

  const rule = consistency.rules.find(({ what }) => what.startsWith('ended delegations'));
  const wrong = () => rows(rule?.wrong ?? '');

  it('is reported if nobody undoes an assignment that another delegation has replaced', async () => {
    const { lee, ids, end, delegation_id } = await ended(1);
    const [id = 0] = ids;
    await rows('delete from contact_shares where contact_id = $1', [id]);
    const other: User = { ...lee, act: { id: someone().id, delegation_id: delegation_id + 1_000 } };
    await contacts.as(other).contacts.patch({ id, assigned_user_id: lee.id });
    await end();
    expect(await wrong()).toEqual([]);
    await rows('update delegations set undo_due_at = null where id = $1', [delegation_id]);
    expect(await wrong()).toEqual([{ id: delegation_id }]);
    await rows(`with wrong as (${rule?.wrong}) ${rule?.repair}`);
    await undo();
    expect(await wrong()).toEqual([]);
    expect(
      await rows('select previous_user_id from delegated_assignments where contact_id = $1', [id]),
    ).toEqual([{ previous_user_id: null }]);
  });

  it('is reported if nobody undoes a share that repeats the one of another delegation', async () => {
    const { lee, ben, ids, seen, delegation_id } = await ended(1);
    const [contact_id = 0] = ids;
    const [broker_user_id, other] = [someone().id, delegation_id + 1_000];
    const acting: User = { ...lee, act: { id: broker_user_id, delegation_id: other } };
    await contacts.as(acting).shares.create({ contact_id, user_id: ben.id });
    await contacts.deliver(delegationEnded, { delegation_id: other, broker_user_id, user_id: lee.id });
    expect(await wrong()).toEqual([]);
    await rows('update delegations set undo_due_at = null where id = $1', [other]);
    expect(await wrong()).toEqual([{ id: other }]);
    await rows(`with wrong as (${rule?.wrong}) ${rule?.repair}`);
    await undo();
    expect([await wrong(), await seen()]).toEqual([[], 1]);
    expect(await rows('select from repeated_shares where contact_id = $1', [contact_id])).toEqual([]);
  });

  it('is repaired if nobody undoes it', async () => {
    const { end, seen, delegation_id } = await ended(2);
    await end();
    expect(await wrong()).toEqual([]);
    await rows('update delegations set undo_due_at = null where id = $1', [delegation_id]);
    expect(await wrong()).toEqual([{ id: delegation_id }]);
    await rows(`with wrong as (${rule?.wrong}) ${rule?.repair}`);
    await undo();
    expect([await wrong(), await seen()]).toEqual([[], 0]);
  });
});
