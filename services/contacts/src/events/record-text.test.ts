import { someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);
const { recordText } = contacts.asSystem.events;

describe('a text that came in', () => {
  it('is an event of its contacts, once, at the time of its arrival', async () => {
    const [anna, ben] = [someone(), someone()];
    const [hers, his] = [
      (await contacts.as(anna).contacts.create({ assigned_user_id: anna.id })).id,
      (await contacts.as(ben).contacts.create({})).id,
    ];
    const text = {
      text_id: 'SM1',
      contact_ids: [hers, his, 999_999],
      description: 'At five?',
      at: '2026-03-02T18:00:00.000Z',
    };
    const answers = await Promise.all([recordText(text), recordText(text), recordText(text)]);
    for (const answer of answers)
      expect(answer).toEqual([
        { contact_id: hers, owner_user_id: anna.id, assigned_user_id: anna.id },
        { contact_id: his, owner_user_id: ben.id, assigned_user_id: null },
      ]);
    const event = { type: 'text', description: 'At five?', created_at: text.at, source: 'api' };
    expect((await contacts.as(anna).events.find({})).data).toMatchObject([
      { ...event, contact_id: hers, user_id: anna.id },
    ]);
    expect((await contacts.as(ben).events.find({})).data).toMatchObject([
      { ...event, contact_id: his, user_id: ben.id },
    ]);
    const published = (await contacts.published()).filter(({ type }) => type.endsWith('activity.recorded'));
    expect(published).toHaveLength(2);
    expect(JSON.stringify(published)).not.toContain('five');
  });

  it('is recorded only by the system', async () => {
    const text = { text_id: 'SM2', contact_ids: [], description: '', at: '2026-03-02T18:00:00.000Z' };
    await expect(contacts.as(someone()).events.recordText(text)).rejects.toMatchObject({ name: 'Forbidden' });
  });
});
