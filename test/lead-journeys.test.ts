import { afterAll, describe, expect, it } from 'vitest';
import { agencyIn } from './system/agency.ts';
import { made } from './system/made.ts';
import { until } from './system/until.ts';
import { type Person, shapesFor, startSystem } from './system.ts';

const moments = ['before the lead', 'before its offers', 'after its offers'] as const;
const removals = ['the team', 'the only member', 'the campaign', 'the contact source'] as const;

describe.each(shapesFor(import.meta))('%s: a lead', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);
  const { mail, carrier } = system.carriers;

  const agency = agencyIn(system);

  const mailsTo = async ({ email }: Person) =>
    (await mail.mails()).filter(({ to }) => to.some((address) => address.includes(email)));

  it('is worked by the user who claims it with the very next request', async () => {
    const { anna, ben, contact_id, source_id } = await agency();
    const lead = await made(anna, '/leads', { contact_id, source_id, text_body: 'Is it free?' });
    await anna.api.post(`/leads/${lead.id}/offers`, {});
    expect((await ben.api.get(`/contacts/${contact_id}`)).status).toBe(404);
    expect((await ben.api.post(`/leads/${lead.id}/claim`, {})).status).toBe(200);
    expect(await ben.api.get(`/contacts/${contact_id}`)).toMatchObject({
      status: 200,
      body: { assigned_user_id: ben.id, mobile_phone: '+16045550199' },
    });
    expect((await ben.api.get(`/leads/${lead.id}`)).body).toMatchObject({
      contact: { mobile_phone: '+16045550199' },
    });
    await made(ben, '/events', { contact_id, type: 'call', description: 'Called' });
    expect((await ben.api.list(`/events?contact_id=${contact_id}`)).total).toBe(1);
    await made(ben, '/tasks', {
      description: 'Call again',
      status: 'incomplete',
      action_type: 'Agent Task - No Reminder',
      contact_id,
    });
    const folder = await made(ben, '/template-folders', { name: 'Drip' });
    const template = await made(ben, '/templates', {
      template_folder_id: folder.id,
      template_type: 'Text',
      description: 'Hello',
      body: 'Hello',
    });
    const campaign = await made(ben, '/campaigns', { name: 'New leads' });
    await made(ben, `/campaigns/${campaign.id}/actions`, {
      type: 'Text Contact',
      timing_type: 'Delay by Minutes',
      delay_by_seconds: 0,
      template_metadata_id: template.id,
    });
    await made(ben, `/campaigns/${campaign.id}/contacts`, { contact_id });
    await until(async () => carrier.texts().find(({ to }) => to === '+16045550199'));
  });

  it.each(moments.flatMap((moment) => removals.map((what) => ({ moment, what }))))(
    'has somebody who is told and can act when $what is removed $moment',
    async ({ moment, what }) => {
      const { anna, ben, contact_id, source_id, ...agencyOf } = await agency();
      const remove = async () => expect((await agencyOf.remove[what]()).status).toBe(200);
      if (moment === 'before the lead') await remove();
      const { id } = await made(anna, '/leads', { contact_id, source_id });
      if (moment === 'before its offers') await remove();
      const offers = await anna.api.post(`/leads/${id}/offers`, {});
      expect(offers.status).toBeLessThan(500);
      if (moment === 'after its offers') await remove();

      const outcome = await until(async () => {
        const lead = (await anna.api.get(`/leads/${id}`)).body;
        const isReturned = lead.distribution_target === 'Myself';
        const told = (await mailsTo(isReturned ? anna : ben)).some(({ text }) =>
          text?.includes(`Lead: ${id}\n`),
        );
        return told ? { isReturned, lead } : undefined;
      }).then(async (first) => {
        // A removal may become known after Ben was told.
        if (first.isReturned || what === 'the campaign' || what === 'the contact source') return first;
        return until(async () => {
          const lead = (await anna.api.get(`/leads/${id}`)).body;
          return lead.distribution_target === 'Myself' ? { isReturned: true, lead } : undefined;
        });
      });
      if (outcome.isReturned) {
        expect(outcome.lead).toMatchObject({ assigned_to_user: { id: anna.id }, claimed_by_user_id: null });
        expect((await ben.api.post(`/leads/${id}/claim`, {})).status).toBeGreaterThanOrEqual(404);
        await until(async () => (await mailsTo(anna)).find(({ text }) => text?.includes(`Lead: ${id}\n`)));
      } else {
        expect((await ben.api.post(`/leads/${id}/claim`, {})).body).toMatchObject({
          claimed_by_user_id: ben.id,
        });
      }
    },
  );
});
