import { openTransaction, untilWaiting, webRequest } from '@crm/testing';
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

describe('while contacts does not respond', () => {
  it('a lead that is claimed by the link of an alert is shown as claimed', async () => {
    const { user } = await under.reachable({ first_name: 'Ben' });
    const { lead_id } = await offer([[user, { has_email_alert: true }]]);
    await under.turn();
    const [alert] = await under.alerts(lead_id);
    const mails = await under.mail.mails();
    const text = mails.find(({ message_id }) => message_id?.includes(String(alert?.key)))?.text;
    const token = /\/claim\/([\w-]+)/.exec(text ?? '')?.[1] ?? '';
    await using held = await openTransaction(
      service.contacts.database,
      'lock table contacts in access exclusive mode',
    );
    const claimed = await service.asSystem.claimLinks.claim(webRequest({ params: { token } }));
    expect(claimed).toMatchObject({ status: 200, body: expect.stringContaining('yours') });
    await held.rollback();
  });
});

describe('while contacts has no turn for the user', () => {
  it('a lead is submitted once, without the contact in its response', async () => {
    const anna = await service.person();
    const source_id = await service.leadSourceOf(anna);
    const { id: contact_id } = await service.contacts.as(anna).contacts.create({ first_name: 'Carla' });
    const { leads } = await service.asNow(anna);
    await using source = await openTransaction(
      service.database,
      'select from lead_sources where id = $1 for update',
      [source_id],
    );
    const created = leads.create({ contact_id, source_id });
    await untilWaiting(service.rows, [created]);
    await using held = await openTransaction(
      service.contacts.database,
      'lock table contacts in access exclusive mode',
    );
    const reads = Array.from({ length: 12 }, () => service.contacts.as(anna).contacts.find({}));
    const ended = Promise.allSettled(reads);
    await source.rollback();
    expect(await created).toMatchObject({ source: { id: source_id }, contact: null });
    await held.rollback();
    await ended;
    expect(await leads.find({})).toMatchObject({ total: 1, data: [{ contact: { id: contact_id } }] });
  });
});
