import { contactRemoved } from '@crm/events';
import { absent } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { ahead, communicationsUnderTest } from '../../test/communications.ts';
import { template } from '../../test/plans.ts';

const { scheduling, anna, bert, stranger, inCampaign } = await communicationsUnderTest();
afterAll(scheduling.close);
const { contacts, rows } = scheduling;

describe('communications of a contact', () => {
  it('are shown to every user who sees the contact', async () => {
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
      delivery_state: null,
      dispatch_reason: null,
    };
    for (const user of [anna, bert]) {
      expect(await as(user).get({ contact_id, id })).toEqual(shown);
      expect(await as(user).find({ contact_id })).toEqual({ total: 1, limit: 10, skip: 0, data: [shown] });
    }
  });

  it('do not exist for other users, for another contact, or after the contact was removed', async () => {
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
    await missing(as(anna).find({ contact_id: absent }));
    await contacts.as(anna).contacts.remove({ id: contact_id });
    await missing(as(anna).find({ contact_id }));
    await scheduling.deliver(contactRemoved, { contact_id, owner_user_id: anna.id, assigned_user_id: null });
    expect(await rows('select from communications where id = $1', [id])).toEqual([]);
  });

  it('are loaded with their senders and the users who marked them as done', async () => {
    const { contact_id, as, id, ids, mark } = await inCampaign({}, { assigned_user_id: bert.id });
    await mark(false);
    const [Anna, Bert] = [anna, bert].map((user, index) => ({
      id: user.id,
      first_name: ['Anna', 'Bert'][index],
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

  it('are filtered and sorted by type, subject and time', async () => {
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
