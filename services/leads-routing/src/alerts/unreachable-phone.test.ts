import { problemsIn } from '@crm/dispatch';
import { itStopsNobodyElse } from '@crm/dispatch/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { alertTable } from './alert.queries.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, mail, carrier, turn, offer, alerts, reachable } = under;

const by = (kind: 'Text' | 'Phone') =>
  kind === 'Text' ? { has_text_alert: true } : { has_call_alert: true };

describe('a member whose phone cannot be reached', () => {
  const { users } = service.identity.asSystem;
  const { optOuts } = service.contacts.asSystem;

  /** Offers a lead through a channel, and returns the outcome of its alerts and what the offer shows. */
  async function offeredAfter(
    change: (id: number, phone: string) => Promise<unknown>,
    kind: 'Text' | 'Phone' = 'Text',
    also: object = {},
    changeLater: (id: number) => Promise<unknown> = async () => undefined,
  ) {
    const { user, phone } = await reachable();
    await change(user.id, phone);
    const { anna, lead_id } = await offer([[user, { ...by(kind), ...also }]]);
    await changeLater(user.id);
    await turn();
    const { data } = await service.as(anna).offers.find({ lead_id });
    const [one] = data;
    return {
      alerts: await alerts(lead_id),
      offer: one && { alert_state: one.alert_state, alert_reason: one.alert_reason },
      mails: (await mail.mails()).filter(({ text }) => text?.includes(`Lead: ${lead_id}\n`)).length,
    };
  }

  it.each([
    ['Text', 'The user has no phone number.', (user) => users.change({ user, phone: null })],
    ['Phone', 'The user has no phone number.', (user) => users.change({ user, phone: null })],
    [
      'Phone',
      "The user's phone number cannot be dialed.",
      (user) => service.identity.rows("update users set phone = '12' where id = $1", [user]),
    ],
    [
      'Text',
      "The user's phone number has opted out of texts.",
      (_, number) => optOuts.add({ number, at: new Date().toISOString() }),
    ],
    [
      'Text',
      'The user does not want texts.',
      (user) => service.identity.rows('update users set has_text_alerts = false where id = $1', [user]),
    ],
    [
      'Phone',
      'The user does not want calls.',
      (user) => service.identity.rows('update users set has_call_alerts = false where id = $1', [user]),
    ],
  ] as const satisfies readonly (readonly [
    'Text' | 'Phone',
    string,
    (id: number, phone: string) => Promise<unknown>,
  ])[])('by %s is alerted by e-mail instead: %s', async (kind, why, change) => {
    const { mails, ...became } = await offeredAfter(change, kind);
    const reason = `${why} An e-mail was sent instead.`;
    expect(became).toMatchObject({
      alerts: [{ kind, state: 'Done', reason }],
      offer: { alert_state: 'Sent', alert_reason: reason },
    });
    expect(mails).toBe(1);
  });

  it('gets one e-mail, whatever the other channels of the offer are', async () => {
    const noPhone = (user: number) => users.change({ user, phone: null });
    const asWell = await offeredAfter(noPhone, 'Text', { has_email_alert: true, has_call_alert: true });
    expect(asWell).toMatchObject({ mails: 1, offer: { alert_state: 'Sent', alert_reason: null } });
    expect(asWell.alerts.map(({ kind, state }) => [kind, state])).toEqual([
      ['Email', 'Done'],
      ['Text', 'Dropped'],
      ['Phone', 'Dropped'],
    ]);
    const both = await offeredAfter(noPhone, 'Text', { has_call_alert: true });
    expect(both).toMatchObject({ mails: 1, offer: { alert_state: 'Sent' } });
  });

  it('is not alerted if the account is disabled, and the offer says so', async () => {
    const disabled = await offeredAfter(
      async () => undefined,
      'Text',
      {},
      (user) => users.disable({ user }),
    );
    const reason = "The user's account is disabled.";
    expect(disabled).toMatchObject({
      alerts: [{ state: 'Failed', reason }],
      offer: { alert_state: 'Failed', alert_reason: reason },
      mails: 0,
    });
  });
});

it('an offer shows the outcome of its alert', async () => {
  const { user } = await reachable();
  const { anna, lead_id } = await offer([[user, by('Text')]]);
  const shown = async () => (await service.as(anna).offers.find({ lead_id })).data[0];
  expect(await shown()).toMatchObject({ alert_state: 'Waiting', alert_reason: null });
  carrier.behave(() => ({ answer: 400 }));
  await turn();
  expect(await shown()).toMatchObject({
    alert_state: 'Failed',
    alert_reason: expect.stringContaining('400'),
  });
  carrier.behave(undefined);
  const silent = await offer([[user, {}]]);
  const [quiet] = (await service.as(silent.anna).offers.find({ lead_id: silent.lead_id })).data;
  expect(quiet).toMatchObject({ alert_state: null, alert_reason: null });
});

describe('an alert that cannot be processed does not hold up others', () => {
  const { rows } = service;
  itStopsNobodyElse({
    table: 'lead_alerts',
    state: 'state',
    sent: 'Done',
    rows,
    due: async () => {
      const { user } = await reachable();
      const { lead_id } = await offer([[user, { has_email_alert: true }]]);
      const now = async () => {
        const [row] = await rows(
          'select a.* from lead_alerts a join lead_offers o on o.id = a.offer_id where o.lead_id = $1',
          [lead_id],
        );
        return { id: Number(row?.id), state: row?.state, reason: row?.reason };
      };
      return { id: (await now()).id, now };
    },
    spoil: (id) => rows("update lead_alerts set due_at = '-infinity' where id = $1", [id]),
    turn,
    problems: async () => (await problemsIn(under.workerContext.database.query, alertTable))[0]?.count ?? 0,
  });
});
