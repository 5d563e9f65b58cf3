import { afterAll, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { returnUnclaimed } from '../offers/return-unclaimed.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, mail, turn, later, offer, alerts, reachable, workerContext, rollouts } = under;
const { person } = service;

const lead = async (id: number) => (await service.rows('select * from leads where id = $1', [id]))[0];
const told = async ({ id }: { id: number }) => {
  const { email } = (await service.identity.asSystem.users.byIds({ ids: [id] }))[0] ?? {};
  return (await mail.mails()).filter(({ to }) => to.some((address) => address === email));
};

/** Ends the last turn of a lead that nobody has claimed, and alerts its creator. */
async function runOut(lead_id: number) {
  await service.rows('update leads set runs_out_at = now() where id = $1', [lead_id]);
  await returnUnclaimed(workerContext);
  await turn();
}

describe('a lead that a broker submitted, who may no longer act for its creator', () => {
  /** Submitted with an instance of this release or the previous one. */
  async function submitted(option: object, isPrevious = false) {
    const [{ user: ben }, kim] = [await reachable(), await person({ is_broker: true })];
    const { anna, team_id } = await offer([[ben, option]]);
    const like = await lead(await rollouts.lead(anna, { team_id }));
    const acting = { ...(await service.now(anna)), act: { id: kim.id, delegation_id: 1000 + kim.id } };
    const api = service.as(acting);
    const { id } = await api.leads.create({
      contact_id: Number(like?.contact_id),
      source_id: Number(like?.source_id),
    });
    await api.offers.send({ lead_id: id });
    if (isPrevious)
      await service.rows('update leads set delegation_id = $2 where id = $1', [id, 1000 + kim.id]);
    return { anna, ben, id };
  }

  it.each([false, true])(
    'is announced to the members of the team (from the previous release: %s)',
    async (is) => {
      const { id } = await submitted({ has_email_alert: true, has_text_alert: true }, is);
      await turn();
      expect((await alerts(id)).map(({ kind, state }) => [kind, state])).toEqual([
        ['Email', 'Done'],
        ['Text', 'Done'],
      ]);
    },
  );

  it('is assigned automatically', async () => {
    const { ben, id } = await submitted({ assign_automatically: true, has_email_alert: true });
    await turn();
    await later();
    await turn();
    expect(await lead(id)).toMatchObject({ claimed_by_user_id: ben.id, claimed_via: 'Auto' });
    expect((await alerts(id)).map(({ state }) => state)).toEqual(['Done', 'Done']);
  });

  it('is announced to its creator when nobody has claimed it', async () => {
    const { anna, id } = await submitted({ has_email_alert: true });
    await runOut(id);
    expect(await told(anna)).toMatchObject([
      { text: expect.stringMatching(/Carla.*that you submitted|that you submitted.*Carla/s) },
    ]);
  });
});

describe('the creator of a lead that nobody has claimed', () => {
  it('is told without the name of a contact that the creator no longer sees', async () => {
    const { user: ben } = await reachable();
    const olga = await person();
    const { anna, lead_id } = await offer([[ben, { has_email_alert: true }]]);
    await service.contacts.rows('update contacts set owner_user_id = $2 where id = $1', [
      Number((await lead(lead_id))?.contact_id),
      olga.id,
    ]);
    await runOut(lead_id);
    // What a member is offered shows the contact, so that nothing is sent.
    expect(await alerts(lead_id)).toMatchObject([{ state: 'Dropped' }]);
    const mails = await told(anna);
    expect(mails).toMatchObject([
      { text: expect.stringMatching(/that you submitted.*Contact: Unknown contact/s) },
    ]);
    expect(JSON.stringify(mails)).not.toContain('Carla');
  });

  it('is told nothing about a contact that was removed, or while the account is disabled', async () => {
    const outcomes = [];
    for (const lose of ['contact', 'account']) {
      const { user: ben } = await reachable();
      const { anna, lead_id } = await offer([[ben, { has_email_alert: true }]]);
      const contact_id = Number((await lead(lead_id))?.contact_id);
      if (lose === 'contact') await service.contacts.as(anna).contacts.remove({ id: contact_id });
      else await service.identity.asSystem.users.disable({ user: anna.id });
      await runOut(lead_id);
      expect(await told(anna)).toEqual([]);
      outcomes.push(
        await service.rows('select state, reason from lead_alerts where lead_id = $1', [lead_id]),
      );
    }
    expect(outcomes).toEqual([
      [{ state: 'Dropped', reason: 'The contact was removed.' }],
      [{ state: 'Failed', reason: "The user's account is disabled." }],
    ]);
  });
});
