import type { User } from '@crm/auth';
import { contactRemoved } from '@crm/events';
import { someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { schedulingUnderTest } from '../../test/harness.ts';
import { type Action, action, next, plan, template } from '../../test/plans.ts';

const time = { now: new Date('2026-03-02T18:00:05Z') };
const scheduling = await schedulingUnderTest({ clock: () => time.now });
afterAll(scheduling.close);

const { enrolments } = scheduling.asSystem;
const { identity, contacts, rows } = scheduling;

let last = 0;

/** An account, as which one can also ask. */
async function person(first_name: string) {
  last += 1;
  const account = {
    email: `person${last}@example.com`,
    first_name,
    last_name: 'Byron',
    password: 'long enough',
  };
  const { id } = await identity.asSystem.users.create(account);
  return { ...someone(), id };
}

const [bert, stranger] = [await person('Bert'), await person('Carl')];
const anna: User = { ...(await person('Anna')), teammate_ids: [bert.id] };

/** A contact of Anna's, shared with Bert, that is in a campaign. */
async function inCampaign(...actions: readonly Partial<Action>[]) {
  const { id: contact_id } = await contacts.as(anna).contacts.create({ first_name: 'Bill' });
  await contacts.as(anna).shares.create({ contact_id, user_id: bert.id });
  const campaign_contact_id = next();
  const wanted = plan(anna, actions.length > 0 ? actions.map(action) : [action({ template })], {
    contact_id,
  });
  await enrolments.enrol({ campaign_contact_id, plan: wanted });
  const as = (user: User) => scheduling.as(user).communications;
  const { data } = await as(anna).find({ contact_id, $sort: { id: 1 } });
  const ids = data.map(({ id }) => id);
  const [id = 0] = ids;
  const mark = (is_active: boolean, user = bert) => as(user).patch({ contact_id, id, is_active });
  const set = (values: string) => rows(`update communications set ${values} where id = $1`, [id]);
  return { contact_id, campaign_contact_id, wanted, as, id, ids, mark, set };
}

const sending = `dispatch_state = 'Sending', lease_until = now() + interval '1 minute'`;
const sent = `dispatch_state = 'Sent', begun_at = now(), is_active = false, completed_at = now()`;
const ahead = '2026-03-02T19:00:00.000Z';

describe('communications of a contact', () => {
  it('are shown to whoever sees the contact', async () => {
    const { contact_id, campaign_contact_id, as, id } = await inCampaign();
    const shown = {
      id,
      contact_id,
      campaign_contact_id,
      campaign_name: 'General Buyer Drip',
      type: 'Email Contact',
      is_stopped_on_text_reply: false,
      template_subject: template.subject,
      template_name: 'Welcome',
      template_folder_name: 'Buyers',
      is_active: true,
      send_at: ahead,
      completed_at: null,
      send_from_user_id: anna.id,
      completing_user_id: null,
      dispatch_state: 'Scheduled',
      dispatch_reason: null,
    };
    for (const user of [anna, bert]) {
      expect(await as(user).get({ contact_id, id })).toEqual(shown);
      expect(await as(user).find({ contact_id })).toEqual({ total: 1, limit: 10, skip: 0, data: [shown] });
    }
  });

  it('are not there for others, nor below another contact, nor once the contact is gone', async () => {
    const one = await inCampaign();
    const { contact_id, as, id } = one;
    const other = await inCampaign();
    const missing = (work: Promise<unknown>) => expect(work).rejects.toMatchObject({ name: 'NotFound' });
    await missing(as(stranger).find({ contact_id }));
    await missing(as(stranger).get({ contact_id, id }));
    await missing(one.mark(false, stranger));
    await missing(as(anna).get({ contact_id: other.contact_id, id }));
    await missing(as(anna).patch({ contact_id: other.contact_id, id, is_active: true }));
    await missing(as(anna).patch({ contact_id: other.contact_id, id, is_active: false }));
    await missing(as(anna).find({ contact_id: 2_147_483_000 }));
    await contacts.as(anna).contacts.remove({ id: contact_id });
    await missing(as(anna).find({ contact_id }));
    await scheduling.hear(contactRemoved, { contact_id, owner_user_id: anna.id, assigned_user_id: null });
    expect(await rows('select from communications where id = $1', [id])).toEqual([]);
  });

  it('are loaded with who sends them and who marked them as done', async () => {
    const { contact_id, as, id, ids, mark } = await inCampaign({}, { assigned_user_id: bert.id });
    await mark(false);
    const [Anna, Bert] = [anna, bert].map((user, place) => ({
      id: user.id,
      first_name: ['Anna', 'Bert'][place],
      last_name: 'Byron',
    }));
    const load = ['send_from_user', 'completing_user'] as const;
    const { data } = await as(anna).find({ contact_id, $load: [...load], $sort: { id: 1 } });
    expect(data.map((one) => [one.id, one])).toMatchObject([
      [ids[0], { send_from_user: Anna, completing_user: Bert }],
      [ids[1], { send_from_user: Bert, completing_user: null }],
    ]);
    const part = await as(anna).find({ contact_id, $load: ['send_from_user'], $select: ['type'], $limit: 1 });
    expect(part.data).toEqual([
      { id, type: 'Email Contact', send_from_user_id: anna.id, send_from_user: Anna },
    ]);
    expect(await as(anna).get({ contact_id, id, $load: [...load] })).toMatchObject({
      send_from_user: Anna,
      completing_user: Bert,
    });
    expect(await as(anna).get({ contact_id, id })).not.toHaveProperty('send_from_user');
  });

  it('are found by what they are and say', async () => {
    const { contact_id, as, ids } = await inCampaign(
      { template },
      { type: 'Text Contact', delay_by_seconds: 0, template: { ...template, subject: 'About the garden' } },
    );
    const found = async (query: object) =>
      (await as(anna).find({ contact_id, ...query })).data.map(({ id }) => id);
    expect(await found({ template_subject: { $like: '%GARDEN%' } })).toEqual([ids[1]]);
    expect(await found({ type: { $ne: 'Text Contact' } })).toEqual([ids[0]]);
    expect(await found({ send_at: { $lt: ahead } })).toEqual([ids[1]]);
    expect(await found({ $sort: { send_at: 1 } })).toEqual([ids[1], ids[0]]);
  });
});

describe('a communication that is marked as done', () => {
  it('is completed by whoever did it, and not sent any more', async () => {
    const { mark, as, contact_id, id } = await inCampaign();
    const done = {
      is_active: false,
      completed_at: '2026-03-02T18:00:05.000Z',
      completing_user_id: bert.id,
      dispatch_state: 'Dropped',
      dispatch_reason: 'It was marked as done before it was sent.',
    };
    expect(await mark(false)).toMatchObject(done);
    expect(await as(anna).get({ contact_id, id })).toMatchObject(done);
  });

  it('is so as well when it has failed, or was taken to be sent and is not yet on its way', async () => {
    for (const state of [`dispatch_state = 'Failed', dispatch_reason = 'No address.'`, sending]) {
      const { set, mark, id } = await inCampaign();
      await set(state);
      expect(await mark(false)).toMatchObject({ is_active: false, dispatch_state: 'Dropped' });
      expect(await rows('select lease_until from communications where id = $1', [id])).toEqual([
        { lease_until: null },
      ]);
    }
  });

  it('is refused while it is handed over, and stays as it was', async () => {
    const { set, mark, as, contact_id, id } = await inCampaign();
    await set(`${sending}, begun_at = now()`);
    await expect(mark(false)).rejects.toMatchObject({
      name: 'Conflict',
      message: 'It is being sent at this moment. Look again in a minute.',
    });
    expect(await as(anna).get({ contact_id, id })).toMatchObject({
      is_active: true,
      dispatch_state: 'Sending',
    });
  });

  it('stays as it is when it is so already, whoever did it, and says nothing', async () => {
    const { mark, set } = await inCampaign();
    await mark(false);
    const before = (await scheduling.published()).length;
    expect(await mark(false, anna)).toMatchObject({ completing_user_id: bert.id });
    await set(sent);
    expect(await mark(false)).toMatchObject({ dispatch_state: 'Sent' });
    expect((await scheduling.published()).length).toBe(before);
  });

  it('is told of with ids alone, and so is the way back', async () => {
    const { mark, contact_id, campaign_contact_id, id } = await inCampaign();
    const before = (await scheduling.published()).length;
    await mark(false);
    await mark(true);
    const said = (await scheduling.published()).slice(before);
    const data = { communication_id: id, campaign_contact_id, contact_id };
    expect(said).toMatchObject([
      { type: 'crm.scheduling.communication.completed', aggregateversion: 2, data },
      { type: 'crm.scheduling.communication.reopened', aggregateversion: 3, data },
    ]);
  });
});

describe('a communication that is marked as not done', () => {
  it('is sent after all while its time is ahead', async () => {
    const { mark, id } = await inCampaign();
    await mark(false);
    expect(await mark(true)).toMatchObject({
      is_active: true,
      completed_at: null,
      completing_user_id: null,
      dispatch_state: 'Scheduled',
      dispatch_reason: null,
    });
    expect(await rows('select next_attempt_at from communications where id = $1', [id])).toEqual([
      { next_attempt_at: '2026-03-02 19:00:00+00' },
    ]);
  });

  it('is never sent at another hour than was meant', async () => {
    const { mark } = await inCampaign();
    await mark(false);
    time.now = new Date(ahead);
    const reopened = await mark(true);
    time.now = new Date('2026-03-02T18:00:05Z');
    expect(reopened).toMatchObject({
      is_active: true,
      completed_at: null,
      dispatch_state: 'Dropped',
      dispatch_reason: 'Its time is over.',
    });
  });

  it('is never sent a second time', async () => {
    const { mark, set } = await inCampaign();
    await set(sent);
    expect(await mark(true)).toMatchObject({
      is_active: true,
      completed_at: null,
      completing_user_id: null,
      dispatch_state: 'Sent',
    });
    expect(await mark(false)).toMatchObject({ completing_user_id: bert.id, dispatch_state: 'Sent' });
  });

  it('is not sent where the campaign was stopped, for the contact or for all', async () => {
    for (const whole of ['campaign_contact_id', 'campaign_id'] as const) {
      const { mark, wanted, campaign_contact_id } = await inCampaign();
      await mark(false);
      await enrolments.stop(
        whole === 'campaign_id' ? { campaign_id: wanted.campaign_id } : { campaign_contact_id },
      );
      expect(await mark(true)).toMatchObject({
        is_active: true,
        dispatch_state: 'Dropped',
        dispatch_reason: 'The campaign was stopped.',
      });
    }
  });

  it('keeps the reason for which it failed', async () => {
    const { mark, set } = await inCampaign();
    await set(`dispatch_state = 'Failed', dispatch_reason = 'No address.', send_at = '2026-03-01T00:00:00Z',
      is_active = false, completed_at = now()`);
    expect(await mark(true)).toMatchObject({ dispatch_state: 'Failed', dispatch_reason: 'No address.' });
  });
});

describe('a change of a communication', () => {
  it('is none where nothing is sent that may be written', async () => {
    const { contact_id, as, id } = await inCampaign();
    const before = await as(anna).get({ contact_id, id });
    const patch = {
      contact_id,
      id,
      send_at: '2030-01-01T00:00:00Z',
      type: 'Text Contact',
      dispatch_state: 'Sent',
    };
    expect(await as(anna).patch(patch)).toEqual(before);
  });

  it('of twenty people at once is one of them', async () => {
    const { mark, id } = await inCampaign();
    const before = (await scheduling.published()).length;
    await Promise.all(Array.from({ length: 20 }, (_, place) => mark(false, place % 2 ? anna : bert)));
    expect((await scheduling.published()).length).toBe(before + 1);
    expect(await rows('select version from communications where id = $1', [id])).toEqual([{ version: 2 }]);
  });

  it('never lets what is completed be handed over, nor what is handed over be completed', async () => {
    for (let round = 0; round < 12; round += 1) {
      const { mark, set, contact_id, as, id } = await inCampaign();
      await set(`${sending}, attempts = 1`);
      const begin = () =>
        rows(
          `update communications set begun_at = now()
           where id = $1 and attempts = 1 and dispatch_state = 'Sending' and begun_at is null returning id`,
          [id],
        );
      const marked = mark(false).then(
        () => true,
        (error: Error) => {
          expect(error.name).toBe('Conflict');
          return false;
        },
      );
      await new Promise((resolve) => setTimeout(resolve, (round % 4) * 4));
      const begun = (await begin()).length === 1;
      expect(await marked).toBe(!begun);
      expect((await as(anna).get({ contact_id, id })).dispatch_state).toBe(begun ? 'Sending' : 'Dropped');
    }
  });
});
