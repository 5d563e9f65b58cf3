import { openTransaction } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../test/dispatch.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, offer } = under;

/** Holds what identity would read of users, so that it does not respond in time. */
const silentIdentity = () =>
  openTransaction(service.identity.database, 'lock table users in access exclusive mode', []);

describe('while identity does not respond', () => {
  it('a lead is submitted once, without names in its response', async () => {
    const anna = await service.person();
    const source_id = await service.leadSourceOf(anna);
    const { id: contact_id } = await service.contacts.as(anna).contacts.create({ first_name: 'Carla' });
    const { leads } = await service.asNow(anna);
    {
      await using held = await silentIdentity();
      expect(await leads.create({ contact_id, source_id })).toMatchObject({ created_by_user: null });
      await held.rollback();
    }
    expect(await leads.find({})).toMatchObject({ total: 1, data: [{ created_by_user: { id: anna.id } }] });
  });

  it('a lead is claimed, and its claimant is not told otherwise', async () => {
    const ben = await service.person();
    const { lead_id } = await offer([[ben, {}]]);
    const { leads } = await service.asNow(ben);
    {
      await using held = await silentIdentity();
      expect(await leads.claim({ id: lead_id })).toMatchObject({ id: lead_id, status: 'Claimed' });
      await held.rollback();
    }
    expect(await leads.get({ id: lead_id })).toMatchObject({ assigned_to_user: { id: ben.id } });
  });

  it('what only reads is refused', async () => {
    const ben = await service.person();
    const { lead_id } = await offer([[ben, {}]]);
    const { leads } = await service.asNow(ben);
    await using held = await silentIdentity();
    await expect(leads.get({ id: lead_id })).rejects.toMatchObject({ name: 'Unavailable' });
    await held.rollback();
  });
});
