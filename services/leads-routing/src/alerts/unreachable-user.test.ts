import { randomUUID } from 'node:crypto';
import { webRequest } from '@crm/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { callbacksOf } from '../../test/callbacks.ts';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { noteBounces } from '../alert-statuses/note-bounces.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, mail, carrier, turn, later, offer, alerts, reachable, workerContext, settings } = under;
const callbacks = callbacksOf(under);
afterEach(() => {
  mail.behave(undefined);
  carrier.behave(undefined);
});

const noMailbox = { answer: 550, body: '5.1.1 No such user' };
const landline = { answer: 400, body: JSON.stringify({ code: 21614, message: 'not a mobile number' }) };
const comesBack = 'E-mails to the user bounce.';
const instead = `${comesBack} A text was sent instead.`;

const textsTo = (phone: string) => carrier.texts().filter(({ to }) => to === phone).length;
const mailsAbout = async (lead: number) =>
  (await mail.mails()).filter(({ text }) => text?.includes(`Lead: ${lead}\n`)).length;
const outcomesOf = async (lead: number) =>
  (await alerts(lead)).map(({ kind, state, reason }) => [kind, state, reason]);
const shown = async ({ anna, lead_id }: Awaited<ReturnType<typeof offer>>) => {
  const [one] = (await service.as(anna).offers.find({ lead_id })).data;
  return [one?.alert_state, one?.alert_reason];
};

/** Sends the report of a mail server that the e-mail with a key has bounced. */
async function report(key: string, status: string) {
  const lines = [`Original-Envelope-Id: ${key}`, 'Action: failed', `Status: ${status}`];
  const body = [...lines, 'Diagnostic-Code: smtp; 550 No such user'].join('\r\n');
  const headers = { authorization: `Bearer ${settings.delivery.bounceToken}` };
  const answer = await service.scheduling.asSystem.bounces.report(webRequest({ body, headers }));
  expect(answer.status).toBe(204);
  await noteBounces(settings, workerContext);
}

describe('a member whose address does not exist', () => {
  it('is texted instead, at once and from then on, and can claim the lead by a reply', async () => {
    const { user, phone } = await reachable();
    mail.behave(() => noMailbox);
    const first = await offer([[user, { has_email_alert: true }]]);
    await turn();
    await later();
    await turn();
    expect(await outcomesOf(first.lead_id)).toEqual([['Email', 'Done', instead]]);
    expect(await shown(first)).toEqual(['Sent', instead]);
    mail.behave(undefined);
    const second = await offer([[user, { has_email_alert: true }]]);
    await turn();
    expect([await outcomesOf(second.lead_id), await mailsAbout(second.lead_id), textsTo(phone)]).toEqual([
      [['Email', 'Done', instead]],
      0,
      2,
    ]);
    await callbacks.text(phone, `CLAIM ${second.lead_id}`);
    expect((await service.as(second.anna).leads.get({ id: second.lead_id })).claimed_by_user_id).toBe(
      user.id,
    );
  });

  it('is not alerted if there is no phone number either, and the offer says so', async () => {
    const { user } = await reachable();
    await service.identity.asSystem.users.change({ user: user.id, phone: null });
    mail.behave(() => noMailbox);
    const one = await offer([[user, { has_email_alert: true }]]);
    await turn();
    await later();
    await turn();
    expect(await shown(one)).toEqual(['Failed', `${comesBack} The user has no phone number.`]);
  });

  it.each([
    ['5.1.1', 'Done', instead],
    ['5.2.2', 'Done', null],
  ])(
    'is recognized by a report with the status %s, and the offer shows that nobody was reached',
    async (status, state, reason) => {
      const { user } = await reachable();
      const first = await offer([[user, { has_email_alert: true }]]);
      await turn();
      const [alert] = await alerts(first.lead_id);
      await report(alert?.key ?? '', status);
      expect(await shown(first)).toEqual(['Failed', `The e-mail came back: ${status} 550 No such user`]);
      expect(await service.scheduling.rows('select from unmatched_bounces')).toEqual([]);
      const next = await offer([[user, { has_email_alert: true }]]);
      await turn();
      expect(await outcomesOf(next.lead_id)).toEqual([['Email', state, reason]]);
    },
  );
});

describe('a bounced e-mail about an account', () => {
  it('is recorded, and alerts to its user go another way', async () => {
    const { user } = await reachable();
    const key = randomUUID();
    await service.identity.rows(
      `with event as (
         insert into security_events (user_id, kind, happened_at) values ($1, 'invited', now()) returning id
       )
       insert into account_mails (event_id, key, state, begun_at, sent_to) select event.id, $2, 'Done', now(), email from event, users where users.id = $1`,
      [user.id, key],
    );
    await report(key, '5.1.1');
    expect(
      await service.identity.rows('select delivery_state, reason from account_mails where key = $1', [key]),
    ).toEqual([{ delivery_state: 'Undelivered', reason: expect.stringContaining('came back') }]);
    expect(await service.scheduling.rows('select from unmatched_bounces')).toEqual([]);
    const next = await offer([[user, { has_email_alert: true }]]);
    await turn();
    expect(await outcomesOf(next.lead_id)).toEqual([['Email', 'Done', instead]]);
  });
});

describe('a member whose number cannot receive texts', () => {
  const byEmail = "The user's phone number cannot receive texts. An e-mail was sent instead.";

  it('is alerted by e-mail instead, at once and from then on', async () => {
    const { user, phone } = await reachable();
    carrier.behave(() => landline);
    const first = await offer([[user, { has_text_alert: true }]]);
    await turn();
    await later();
    await turn();
    carrier.behave(undefined);
    const second = await offer([[user, { has_text_alert: true }]]);
    await turn();
    for (const { lead_id } of [first, second]) {
      expect(await outcomesOf(lead_id)).toEqual([['Text', 'Done', byEmail]]);
      expect(await mailsAbout(lead_id)).toBe(1);
    }
    expect(textsTo(phone)).toBe(0);
  });

  it('is recognized by the status of a text', async () => {
    const { user } = await reachable();
    const first = await offer([[user, { has_text_alert: true }]]);
    await turn();
    const [alert] = await alerts(first.lead_id);
    const form = { MessageSid: 'SM1', MessageStatus: 'undelivered', ErrorCode: '30005' };
    await callbacks.status(alert?.key ?? '', 'undelivered', { form });
    expect(await shown(first)).toEqual(['Failed', 'Nobody has this number.']);
    const second = await offer([[user, { has_text_alert: true, has_call_alert: true }]]);
    await turn();
    expect(await outcomesOf(second.lead_id)).toEqual([
      ['Text', 'Dropped', "The user's phone number cannot receive texts. The user gets another alert."],
      ['Phone', 'Done', null],
    ]);
  });
});
