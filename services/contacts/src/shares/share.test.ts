import { openTransaction, someone, teammateOf, untilWaiting } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

async function shared() {
  const [ben, cleo] = [someone(), someone()];
  const anna = teammateOf(ben, cleo);
  const { id: contact_id } = await contacts.as(anna).contacts.create({ first_name: 'Bill' });
  const share = await contacts.as(anna).shares.create({ contact_id, user_id: ben.id });
  return { anna, ben: { ...ben, teammate_ids: [anna.id, cleo.id] }, cleo, contact_id, share };
}

describe('a shared contact', () => {
  it('can be seen and changed by the user it is shared with until the share is removed', async () => {
    const { anna, ben, contact_id, share } = await shared();
    expect(share).toMatchObject({ user_id: ben.id, shared_by_user_id: anna.id });
    expect(await contacts.as(ben).contacts.get({ id: contact_id })).toMatchObject({ first_name: 'Bill' });
    expect(await contacts.as(ben).contacts.find({})).toMatchObject({ total: 1, data: [{ id: contact_id }] });
    expect(await contacts.as(ben).contacts.patch({ id: contact_id, company: 'Ng' })).toMatchObject({
      company: 'Ng',
    });

    expect(await contacts.as(anna).shares.remove({ contact_id, id: share.id })).toEqual(share);
    await expect(contacts.as(ben).contacts.get({ id: contact_id })).rejects.toMatchObject({
      name: 'NotFound',
    });
    expect(await contacts.as(ben).contacts.find({})).toMatchObject({ total: 0 });
  });

  it('cannot be removed or assigned by the user it is shared with', async () => {
    const { ben, contact_id } = await shared();
    const api = contacts.as(ben).contacts;
    await expect(api.remove({ id: contact_id })).rejects.toMatchObject({ name: 'Forbidden' });
    await expect(api.patch({ id: contact_id, assigned_user_id: ben.id })).rejects.toMatchObject({
      name: 'Forbidden',
    });
  });

  it('stays hidden from everyone else', async () => {
    const { cleo, contact_id, share } = await shared();
    for (const stranger of [cleo, someone()]) {
      const { shares, contacts: api } = contacts.as(stranger);
      await expect(api.get({ id: contact_id })).rejects.toMatchObject({ name: 'NotFound' });
      await expect(shares.find({ contact_id })).rejects.toMatchObject({ name: 'NotFound' });
      await expect(shares.get({ contact_id, id: share.id })).rejects.toMatchObject({ name: 'NotFound' });
      await expect(shares.create({ contact_id, user_id: stranger.id })).rejects.toMatchObject({
        name: 'NotFound',
      });
      await expect(shares.remove({ contact_id, id: share.id })).rejects.toMatchObject({ name: 'NotFound' });
    }
  });

  it('can be shared by a teammate of its owner, and unshared by that teammate or the owner', async () => {
    const { anna, ben, cleo, contact_id } = await shared();
    const second = await contacts.as(ben).shares.create({ contact_id, user_id: cleo.id });
    expect(await contacts.as(cleo).contacts.get({ id: contact_id })).toMatchObject({ id: contact_id });
    const others = await contacts.as(cleo).shares.find({ contact_id });
    expect(others.total).toBe(2);
    await expect(contacts.as(cleo).shares.remove({ contact_id, id: second.id })).rejects.toMatchObject({
      name: 'Forbidden',
    });
    expect(await contacts.as(ben).shares.remove({ contact_id, id: second.id })).toEqual(second);
    await expect(contacts.as(cleo).contacts.get({ id: contact_id })).rejects.toMatchObject({
      name: 'NotFound',
    });
    const again = await contacts.as(ben).shares.create({ contact_id, user_id: cleo.id });
    expect(await contacts.as(anna).shares.remove({ contact_id, id: again.id })).toEqual(again);
  });

  it('cannot be shared by someone who is not a teammate of its owner', async () => {
    const dora = someone();
    const anna = teammateOf(dora);
    const { id: contact_id } = await contacts.as(anna).contacts.create({ assigned_user_id: dora.id });
    await expect(
      contacts.as(dora).shares.create({ contact_id, user_id: someone().id }),
    ).rejects.toMatchObject({
      name: 'Forbidden',
    });
  });

  it('can only be shared with colleagues, and never with its owner', async () => {
    const { anna, ben, contact_id } = await shared();
    for (const user_id of [someone().id, 999_999]) {
      await expect(contacts.as(anna).shares.create({ contact_id, user_id })).rejects.toMatchObject({
        name: 'BadRequest',
        errors: { user_id: `'${user_id}' is not a user of your teams` },
      });
    }
    await expect(contacts.as(ben).shares.create({ contact_id, user_id: anna.id })).rejects.toMatchObject({
      name: 'BadRequest',
    });
  });

  it('cannot be kept by a teammate of its owner who shares it with themselves', async () => {
    const { anna, ben, contact_id, share } = await shared();
    const { shares, contacts: api } = contacts.as({ ...ben, sharing_teammate_ids: [anna.id] });
    const refusal = { name: 'BadRequest', errors: { user_id: expect.stringMatching(/yourself/) } };
    await expect(shares.create({ contact_id, user_id: ben.id })).rejects.toMatchObject(refusal);
    const other = await contacts.as(anna).contacts.create({ first_name: 'Dan' });
    await expect(shares.create({ contact_id: other.id, user_id: ben.id })).rejects.toMatchObject(refusal);
    expect((await shares.find({ contact_id })).data).toEqual([share]);
    expect((await api.get({ id: other.id })).id).toBe(other.id);
  });

  it('is given on behalf of a user who sees it, and to nobody once the user does not', async () => {
    const { anna, ben, cleo, contact_id, share } = await shared();
    const give = () => contacts.asSystem.shares.give({ contact_id, user_id: cleo.id, giver: ben });
    const assignee = async () =>
      (await contacts.rows('select assigned_user_id from contacts where id = $1', [contact_id]))[0];
    // Ben loses it while the gift waits for the contact.
    await using losing = await openTransaction(
      contacts.database,
      "update contacts set shared_user_ids = '{}' where id = $1",
      [contact_id],
    );
    const giving = give();
    await untilWaiting(contacts.rows, [giving]);
    await losing.commit();
    await expect(giving).rejects.toMatchObject({ name: 'NotFound' });
    expect(await assignee()).toEqual({ assigned_user_id: null });
    await contacts.as(anna).shares.remove({ contact_id, id: share.id });
    await contacts.as(anna).shares.create({ contact_id, user_id: ben.id });
    await give();
    expect(await assignee()).toEqual({ assigned_user_id: cleo.id });
  });

  it('is shared once by several concurrent requests', async () => {
    const { anna, cleo, contact_id } = await shared();
    const created = await Promise.all(
      Array.from({ length: 8 }, () => contacts.as(anna).shares.create({ contact_id, user_id: cleo.id })),
    );
    expect(new Set(created.map(({ id }) => id)).size).toBe(1);
    const [row] = await contacts.rows('select shared_user_ids from contacts where id = $1', [contact_id]);
    const { data } = await contacts.as(anna).shares.find({ contact_id });
    expect(row).toEqual({ shared_user_ids: data.map(({ user_id }) => user_id) });
  });
});
