import { openDispatch } from '@crm/dispatch';
import { afterAll, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { alertQueue } from './dispatcher.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, settings, workerContext, offer, reachable, alerts, turn } = under;

const slots = 4;
const byText = { has_text_alert: true };

/** Lets a new user offer a lead to this many members by text. */
async function offerTo(count: number) {
  const members = await Promise.all(Array.from({ length: count }, () => reachable()));
  return offer(members.map(({ user }) => [user, byText]));
}

describe('the alerts of the leads of one user', () => {
  it('leave slots for an alert of another user that is due later', async () => {
    const busy = await offerTo(12);
    const other = await offerTo(1);
    await service.rows(
      `update lead_alerts set next_attempt_at = now() - interval '1 hour'
       where offer_id in (select id from lead_offers where lead_id = $1)`,
      [busy.lead_id],
    );
    const leased = await openDispatch(alertQueue(settings), settings.delivery, workerContext).lease({
      Text: slots,
    });
    expect(leased.map(({ creator_user_id }) => creator_user_id)).toContain(other.anna.id);
    expect(leased).toHaveLength(slots / 2 + 1);
  });

  it('are sent even if an instance of the previous release added them', async () => {
    const { lead_id } = await offerTo(1);
    await service.rows(
      'update lead_alerts set owner_user_id = default where offer_id in (select id from lead_offers where lead_id = $1)',
      [lead_id],
    );
    await turn();
    expect(await alerts(lead_id)).toMatchObject([{ state: 'Done' }]);
  });
});
