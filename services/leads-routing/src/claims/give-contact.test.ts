import type { User } from '@crm/auth';
import { unavailable } from '@crm/contract';
import { delegationEnded } from '@crm/events';
import { linkedPeers } from '@crm/service';
import { afterAll, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { giveWaitingContacts } from './give-contact.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, offer, workerContext, turn } = under;
const { person, asNow } = service;

const contactOf = async (lead_id: number) => {
  const [lead] = await service.rows('select contact_id from leads where id = $1', [lead_id]);
  return Number(lead?.contact_id);
};
const stored = async (id: number) =>
  (await service.contacts.rows('select * from contacts where id = $1', [id]))[0];
const given = async (lead: number) =>
  (await service.rows('select contact_given_at is not null as given from leads where id = $1', [lead]))[0];
/** Ends a delegation, and waits until contacts has undone what was done under it. */
async function endDelegation(delegation_id: number, { id: user_id }: User) {
  const ended = { delegation_id, user_id, broker_user_id: user_id };
  await service.contacts.deliver(delegationEnded, ended);
  const undone = () => service.contacts.rows('select from delegations where undo_due_at is not null');
  await expect.poll(undone).toEqual([]);
}

/** As if the contact of a claimed lead had been given under a delegation. */
async function asGivenByPreviousRelease(lead_id: number, contact_id: number, delegation_id: number) {
  await service.rows('update leads set delegation_id = $2 where id = $1', [lead_id, delegation_id]);
  await service.contacts.rows('update contact_shares set delegation_id = $2 where contact_id = $1', [
    contact_id,
    delegation_id,
  ]);
  await service.contacts.rows(
    `insert into delegated_assignments (contact_id, delegation_id, previous_user_id)
     select id, $2, null from contacts where id = $1 and assigned_user_id <> owner_user_id`,
    [contact_id, delegation_id],
  );
}

const contactsAs = async (user: User) => service.contacts.as(await service.now(user)).contacts;

/** A claimed lead whose user has no access to its contact yet. */
async function claimedLately() {
  const ben = await person();
  const { anna, lead_id } = await offer([[ben, {}]]);
  await service.rows(
    `update leads set status = 'Claimed', claimed_by_user_id = $2, assigned_user_id = $2, claimed_at = now() - interval '1 minute'
     where id = $1`,
    [lead_id, ben.id],
  );
  return { anna, ben, lead_id, id: await contactOf(lead_id) };
}

describe('the user who claims a lead', () => {
  it('is the assignee of its contact from the next request on', async () => {
    const ben = await person();
    const { anna, lead_id } = await offer([[ben, {}]]);
    const id = await contactOf(lead_id);
    const api = await contactsAs(ben);
    await expect(api.get({ id })).rejects.toMatchObject({ name: 'NotFound' });
    await (await asNow(ben)).leads.claim({ id: lead_id });
    expect(await api.get({ id })).toMatchObject({ first_name: 'Carla', assigned_user_id: ben.id });
    expect(await api.patch({ id, last_name: 'Clark' })).toMatchObject({ last_name: 'Clark' });
    expect(await stored(id)).toMatchObject({ owner_user_id: anna.id });
  });

  it('gets a share of the contact if it has another assignee', async () => {
    const ben = await person();
    const { anna, lead_id } = await offer([[ben, {}]]);
    const id = await contactOf(lead_id);
    await (await contactsAs(anna)).patch({ id, assigned_user_id: anna.id });
    await (await asNow(ben)).leads.claim({ id: lead_id });
    expect(await (await contactsAs(ben)).get({ id })).toMatchObject({ assigned_user_id: anna.id });
    expect(await stored(id)).toMatchObject({ shared_user_ids: [ben.id] });
  });

  it('also gets the contact after an automatic assignment', async () => {
    const ben = await person();
    const { lead_id } = await offer([[ben, { assign_automatically: true }]]);
    await turn();
    const id = await contactOf(lead_id);
    expect(await stored(id)).toMatchObject({ assigned_user_id: ben.id });
  });

  it.each([
    ['before', true],
    ['after', false],
  ])(
    'keeps it, although the broker who submitted the lead could act only until a time %s the claim',
    async (_, isBefore) => {
      const [ben, kim] = [await person(), await person()];
      const { anna, team_id } = await offer([[ben, {}]]);
      const contact_id = await contactOf(await under.rollouts.lead(anna, { team_id }));
      const [source] = await service.rows('select source_id from leads where contact_id = $1', [contact_id]);
      const delegation_id = 1000 + kim.id;
      const end = () => endDelegation(delegation_id, anna);
      const acting = { ...(await service.now(anna)), act: { id: kim.id, delegation_id } };
      const { leads, offers } = service.as(acting);
      const { id } = await leads.create({ contact_id, source_id: Number(source?.source_id) });
      await offers.send({ lead_id: id });
      if (isBefore) await end();
      await (await asNow(ben)).leads.claim({ id });
      if (!isBefore) await end();
      expect(await (await contactsAs(ben)).get({ id: contact_id })).toMatchObject({
        assigned_user_id: ben.id,
      });
    },
  );

  it.each(['an assignment', 'a share'])(
    'keeps %s that the previous release has given until the end of a delegation',
    async (what) => {
      const ben = await person();
      const { anna, lead_id } = await offer([[ben, {}]]);
      const contact_id = await contactOf(lead_id);
      const delegation_id = 1000 + ben.id;
      if (what === 'a share')
        await (await contactsAs(anna)).patch({ id: contact_id, assigned_user_id: anna.id });
      await (await asNow(ben)).leads.claim({ id: lead_id });
      await asGivenByPreviousRelease(lead_id, contact_id, delegation_id);
      await giveWaitingContacts(workerContext);
      await endDelegation(delegation_id, anna);
      expect(await (await contactsAs(ben)).get({ id: contact_id })).toMatchObject({ id: contact_id });
    },
  );

  it('does not get again what has been taken away since the previous release has given it', async () => {
    const ben = await person();
    const { anna, lead_id } = await offer([[ben, {}]]);
    const id = await contactOf(lead_id);
    await (await asNow(ben)).leads.claim({ id: lead_id });
    await asGivenByPreviousRelease(lead_id, id, 1000 + ben.id);
    await (await contactsAs(anna)).patch({ id, assigned_user_id: null });
    const before = await stored(id);
    await giveWaitingContacts(workerContext);
    expect(await stored(id)).toEqual(before);
  });

  it('gets it later, once, if contacts does not respond, but never a removed contact', async () => {
    const { ben, lead_id, id } = await claimedLately();
    const before = Number((await stored(id))?.version);
    const gone = await claimedLately();
    await service.contacts.rows('delete from contacts where id = $1', [gone.id]);
    const { services } = workerContext.peers;
    const unreachable = linkedPeers(
      {
        ...services,
        contacts: async () => {
          throw unavailable();
        },
      },
      'leads-routing',
    );
    await giveWaitingContacts({ ...workerContext, peers: unreachable });
    expect(await given(lead_id)).toEqual({ given: false });
    for (let times = 0; times < 2; times++) await giveWaitingContacts(workerContext);
    expect(await stored(id)).toMatchObject({ assigned_user_id: ben.id, version: before + 1 });
    expect([await given(lead_id), await given(gone.lead_id)]).toEqual([{ given: true }, { given: true }]);
  });

  it('gets it later with the request that claimed the lead as the cause', async () => {
    const ben = await person();
    const { lead_id } = await offer([[ben, {}]]);
    await (await asNow(ben)).leads.claim({ id: lead_id });
    await service.rows('update leads set contact_given_at = null where id = $1', [lead_id]);
    const { services } = workerContext.peers;
    const asked: (string | undefined)[] = [];
    const contacts: (typeof services)[string] = (request) => {
      asked.push(request.requestId);
      return services.contacts?.(request) ?? Promise.reject(unavailable());
    };
    await giveWaitingContacts({
      ...workerContext,
      peers: linkedPeers({ ...services, contacts }, 'leads-routing'),
    });
    const claimed = await service.rows(
      `select payload ->> 'requestid' as request from outbox
       where subject = 'crm.leads-routing.lead.claimed' and payload ->> 'subject' = $1`,
      [`lead/${lead_id}`],
    );
    expect(claimed).toEqual(asked.map((request) => ({ request })));
  });

  it('does not get a contact that the creator of the lead no longer sees', async () => {
    const [olga, ben] = [await person(), await person()];
    const { anna, lead_id } = await offer([[ben, {}]]);
    const id = await contactOf(lead_id);
    await service.teamOf(olga, [anna]);
    // Olga shared one of her contacts with Anna, who submitted the lead.
    await service.contacts.rows('update contacts set owner_user_id = $2 where id = $1', [id, olga.id]);
    const { shares } = service.contacts.as(await service.now(olga));
    const share = await shares.create({ contact_id: id, user_id: anna.id });
    expect(await (await contactsAs(anna)).get({ id })).toMatchObject({ id });
    await shares.remove({ contact_id: id, id: share.id });
    await (await asNow(ben)).leads.claim({ id: lead_id });
    expect(await (await asNow(ben)).leads.get({ id: lead_id })).toMatchObject({ claimed_by_user_id: ben.id });
    await expect((await contactsAs(ben)).get({ id })).rejects.toMatchObject({ name: 'NotFound' });
    expect(await stored(id)).toMatchObject({ assigned_user_id: null, shared_user_ids: [] });
    await giveWaitingContacts(workerContext);
    expect(await stored(id)).toMatchObject({ assigned_user_id: null, shared_user_ids: [] });
    expect(await given(lead_id)).toEqual({ given: true });
  });

  it('does not get a contact from a creator who was disabled meanwhile', async () => {
    const { anna, lead_id, id } = await claimedLately();
    await service.identity.asSystem.users.disable({ user: anna.id });
    await giveWaitingContacts(workerContext);
    expect(await stored(id)).toMatchObject({ assigned_user_id: null });
    expect(await given(lead_id)).toEqual({ given: true });
  });

  it('does not get a contact that the creator of the lead could not see', async () => {
    const { ben, lead_id, id } = await claimedLately();
    await service.rows('update leads set contact_owner_user_id = null where id = $1', [lead_id]);
    await giveWaitingContacts(workerContext);
    await expect((await contactsAs(ben)).get({ id })).rejects.toMatchObject({ name: 'NotFound' });
  });
});
