import { nowhere } from '@crm/delivery/testing';
import { someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { schedulingUnderTest } from '../../test/harness.ts';
import { type Action, action, plan, template } from '../../test/plans.ts';

const rules = { ...nowhere.rules, quietHours: true, maxPerContact: { texts: 2, emails: 1 } };
const time = { now: new Date('2026-03-02T18:00:05Z') };
const scheduling = await schedulingUnderTest({
  clock: () => time.now,
  settings: { delivery: { ...nowhere, rules } },
});
afterAll(scheduling.close);
const { enrolments } = scheduling.asSystem;

const { id: anna } = await scheduling.identity.asSystem.users.create({
  email: 'anna@example.com',
  phone: '+16045550123',
});
const user = { ...someone(), id: anna };

let words = 0;
const text = (hours: number, changes: Partial<Action> = {}) => {
  words += 1;
  const usual = { type: 'Text Contact', delay_by_seconds: hours * 3600 } as const;
  return action({ ...usual, template: { ...template, body: `Hello ${words}` }, ...changes });
};

async function previewed(actions: readonly Action[], contact: object = {}) {
  const facts = { mobile_phone: '+12125550123', email: 'carla@example.com', ...contact };
  const { id } = await scheduling.contacts.as(user).contacts.create(facts);
  const { communications } = await enrolments.preview(plan(user, actions, { contact_id: id }));
  return communications.map(({ send_at, moved_to, is_refused, reason }) => ({
    send_at,
    moved_to,
    is_refused,
    reason,
  }));
}

describe('a preview of messages that may not be sent', () => {
  it('shows to when a text at night is moved, and why', async () => {
    // 10 p.m. in New York.
    expect(await previewed([text(9)])).toEqual([
      {
        send_at: '2026-03-03T03:00:00.000Z',
        moved_to: '2026-03-03T13:00:00.000Z',
        is_refused: false,
        reason: 'It waits, because it is too early or too late for the contact (America/New_York, NY).',
      },
    ]);
  });

  it("counts the campaign's own messages for the daily limits", async () => {
    const [first, second, third] = await previewed([text(1), text(2), text(3)]);
    expect([first, second]).toMatchObject([{ moved_to: null }, { moved_to: null }]);
    expect(third).toMatchObject({
      moved_to: '2026-03-03T19:00:00.000Z',
      reason: 'It waits, because the contact was sent 2 texts within 24 hours.',
    });
  });

  it('counts what the number was sent for other contacts', async () => {
    await scheduling.rows(
      `insert into removed_sendings (send_from_user_id, contact_id, campaign_id, type, sent_to, begun_at, dispatch_state)
       select 77, n, 9, 'Text Contact', '+12125550177', now(), 'Sent' from generate_series(1, 2) n`,
    );
    const [shown] = await previewed([text(1)], { mobile_phone: '+12125550177' });
    expect(shown?.moved_to).not.toBeNull();
    expect(shown?.reason).toContain('because the number was sent 2 texts within 24 hours');
  });

  it('shows the second of two equal texts as refused', async () => {
    const same = { template: { ...template, body: 'Open house' } };
    expect(await previewed([text(1, same), text(2, same)])).toMatchObject([
      { is_refused: false, reason: null },
      { is_refused: true, reason: 'The campaign has sent the same text to the same number within 24 hours.' },
    ]);
  });

  it('shows two equal texts as sent if there is a day between them', async () => {
    const same = { template: { ...template, body: 'Open house again' } };
    expect(await previewed([text(1, same), text(26, same)])).toMatchObject([
      { is_refused: false, reason: null },
      { is_refused: false, reason: null },
    ]);
  });

  it('counts them in the order in which they are sent, whatever the order of the actions', async () => {
    const [third, first, second] = await previewed([text(3), text(1), text(2)]);
    expect([first, second]).toMatchObject([{ moved_to: null }, { moved_to: null }]);
    expect(third).toMatchObject({ moved_to: '2026-03-03T19:00:00.000Z' });
  });

  it.each([
    [{ mobile_phone: '+1 876 555 0123' }, /Jamaica \(JM\) are not allowed/],
    [{ mobile_phone: null }, /has no mobile phone number/],
  ])('shows a text to %o as refused', async (contact, reason) => {
    const expected = { is_refused: true, moved_to: null, reason: expect.stringMatching(reason) };
    expect(await previewed([text(1)], contact)).toMatchObject([expected]);
  });

  it('shows a text to a number that opted out as refused', async () => {
    const number = '+12125550199';
    await scheduling.contacts.asSystem.optOuts.add({ number, at: '2026-03-01T00:00:00Z' });
    expect(await previewed([text(1)], { mobile_phone: number })).toMatchObject([
      { is_refused: true, reason: 'The number of the contact has opted out.' },
    ]);
  });
});
