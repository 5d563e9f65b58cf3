import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, mail, carrier, turn, offer, alerts, reachable, later } = under;
afterEach(() => carrier.behave(undefined));

describe('a text about a lead that may have been sent', () => {
  it.each([
    ['another number', "phone = '604-555-9001'"],
    ['no texts', 'has_text_alerts = false'],
  ])('goes nowhere else when its user wants %s', async (_what, change) => {
    const { user, phone } = await reachable();
    const { lead_id } = await offer([[user, { has_text_alert: true }]]);
    carrier.behave(() => 'break after accepting');
    await turn();
    carrier.behave(undefined);
    await service.identity.rows(`update users set ${change} where id = $1`, [user.id]);
    await later();
    await turn();
    expect(await alerts(lead_id)).toMatchObject([{ state: 'Unknown', attempts: 2 }]);
    expect(
      await service.rows('select sent_to, doubtful_attempts from lead_alerts where sent_to = $1', [phone]),
    ).toEqual([{ sent_to: phone, doubtful_attempts: 1 }]);
    expect((await mail.mails()).filter(({ text }) => text?.includes(`Lead: ${lead_id}\n`))).toEqual([]);
  });
});
