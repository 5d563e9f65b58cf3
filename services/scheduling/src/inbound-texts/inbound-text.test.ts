import { openTransaction, someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { sid, textsOf } from '../../test/texts.ts';
import { forgetOldTexts } from './inbound-text.queries.ts';
import { settleTexts } from './settle-texts-worker.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, mail, carrier, turn, due, later, number, workerContext } = under;
const { post, settle, afterwards, stored } = textsOf(under);
const { optOuts } = service.contacts.asSystem;

const silence = '<?xml version="1.0" encoding="UTF-8"?><Response></Response>';
const eventsOf = (contact_id: number) =>
  service.contacts.rows(
    `select description, type, to_char(created_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at from events
     where contact_id = $1 order by id`,
    [contact_id],
  );
const mailsTo = async (email: string) =>
  (await mail.mails()).filter(({ to }) => to.some((one) => one.includes(email)));
const textsTo = (phone: string) => carrier.texts().filter(({ to }) => to === phone);

/** A contact who was texted by its agent. */
async function texted() {
  const one = await due('Text Contact');
  await turn();
  return one;
}

describe('an incoming text', () => {
  it('is an event of the contact who was texted, at the time of its arrival, and notifies owner and assignee', async () => {
    const { from, to } = await texted();
    const ben = await under.sender();
    await service.contacts.rows('update contacts set assigned_user_id = $1 where id = $2', [ben.id, to.id]);
    const other = await under.contact({ mobile_phone: to.phone });
    const id = sid();
    expect(await post(to.phone, 'At five?\u0000', id)).toMatchObject({ status: 200, body: silence });
    await post(to.phone, 'At five?', id);
    await afterwards();
    await post(to.phone, 'At five?', id);
    await afterwards();
    const [row] = await service.rows('select received_at from inbound_texts where id = $1', [id]);
    const at = new Date(String(row?.received_at)).toISOString();
    expect(await eventsOf(to.id)).toEqual([{ description: 'At five?', type: 'text', at }]);
    expect(await eventsOf(other.id)).toEqual([]);
    for (const { email } of [from, ben])
      expect(await mailsTo(email)).toMatchObject([
        { subject: 'Text from Carla Jones', text: expect.stringContaining('At five?') },
      ]);
    expect(await stored(id)).toMatchObject({ contact_id: to.id, settled: true });
  });

  it('with pictures has a line with the URL of each, in the event and in the e-mail', async () => {
    const { from, to } = await texted();
    const form = { NumMedia: '2', MediaUrl0: 'https://a.example/0', MediaUrl1: 'https://a.example/1' };
    await post(to.phone, '', sid(), { form });
    await post(to.phone, 'The porch', sid(), { form: { ...form, NumMedia: '1' } });
    await afterwards();
    expect((await eventsOf(to.id)).map(({ description }) => description).sort()).toEqual([
      'The porch\nhttps://a.example/0',
      'https://a.example/0\nhttps://a.example/1',
    ]);
    expect((await mailsTo(from.email)).map(({ text }) => text).join()).toContain('https://a.example/1');
  });

  it.each(['72727', 'UBER', '+15555550123'])(
    'from a sender that is not a phone number is kept, but has no further effect: %s',
    async (sender) => {
      const id = sid();
      const form = { NumMedia: '1', MediaUrl0: 'https://a.example/0' };
      expect(await post(sender, 'STOP', id, { form })).toMatchObject({ status: 200, body: silence });
      await afterwards();
      expect(await stored(id)).toMatchObject({ from_number: sender, contact_id: null, settled: true });
      expect(await service.asSystem.inboundTexts.unmatched({ limit: 10 })).toContainEqual(
        expect.objectContaining({ id, from_number: sender, body: 'STOP\nhttps://a.example/0' }),
      );
      expect(textsTo(sender)).toEqual([]);
    },
  );

  it('is published by one domain event, however often its callback arrives', async () => {
    const [id, missed] = [sid(), sid()];
    for (let times = 0; times < 2; times++) await post(number(), 'Hello', id);
    const text = { from_number: number(), body: 'Hello?', received_at: new Date().toISOString() };
    for (let times = 0; times < 2; times++) await service.asSystem.inboundTexts.add({ ...text, id: missed });
    const told = await service.rows(
      `select payload -> 'data' as data from outbox
       where subject = 'crm.scheduling.inbound-text.received' and payload ->> 'subject' = any($1)`,
      [[`inbound-text/${id}`, `inbound-text/${missed}`]],
    );
    expect(told).toEqual([{ data: { inbound_text_id: id } }, { data: { inbound_text_id: missed } }]);
  });

  it('from somebody who was never texted is an event of all contacts with the number', async () => {
    const phone = number();
    const ids = [await under.contact({ mobile_phone: phone }), await under.contact({ mobile_phone: phone })];
    await post(phone, 'Hello');
    await settle();
    for (const { id } of ids) expect(await eventsOf(id)).toMatchObject([{ description: 'Hello' }]);
  });

  it('is an event of the contact who was texted last, and not of one whose text was refused since', async () => {
    const { to } = await texted();
    const other = await under.contact({ mobile_phone: to.phone });
    await due('Text Contact', {
      contact_id: other.id,
      sent_to: to.phone,
      begun_at: new Date().toISOString(),
      dispatch_state: 'Failed',
    });
    await post(to.phone, 'Six is fine');
    await settle();
    expect(await eventsOf(to.id)).toMatchObject([{ description: 'Six is fine' }]);
    expect(await eventsOf(other.id)).toEqual([]);
  });

  it('that becomes known late is an event of the contact who had been texted, and not of one who was texted since', async () => {
    const { id, to } = await texted();
    await service.rows("update communications set begun_at = begun_at - interval '2 hours' where id = $1", [
      id,
    ]);
    const other = await under.contact({ mobile_phone: to.phone });
    await due('Text Contact', {
      contact_id: other.id,
      sent_to: to.phone,
      begun_at: new Date().toISOString(),
      dispatch_state: 'Sent',
    });
    const received_at = new Date(Date.now() - 3_600_000).toISOString();
    await service.asSystem.inboundTexts.add({ id: sid(), from_number: to.phone, body: 'Fine', received_at });
    await settle();
    expect(await eventsOf(to.id)).toMatchObject([{ description: 'Fine' }]);
    expect(await eventsOf(other.id)).toEqual([]);
  });

  it('from a number of no contact, or of a removed one, is kept as unmatched for as long as others', async () => {
    const { to } = await texted();
    const [unknown, gone] = [sid(), sid()];
    await service.contacts.rows('delete from contacts where id = $1', [to.id]);
    await post('+16045559001', 'Who is this?', unknown);
    await post(to.phone, 'Hello?', gone);
    await settle();
    const unmatched = await service.asSystem.inboundTexts.unmatched({ limit: 2 });
    expect(unmatched).toMatchObject([
      { id: gone, from_number: to.phone, body: 'Hello?', meaning: 'other' },
      { id: unknown, from_number: '+16045559001', body: 'Who is this?' },
    ]);
    const before = unmatched[0]?.received_at ?? '';
    expect(await service.asSystem.inboundTexts.unmatched({ limit: 1, before })).toMatchObject([
      { id: unknown },
    ]);
    await forgetOldTexts(service.database.query);
    expect(await stored(unknown)).toBeDefined();
    await service.rows(
      "update inbound_texts set received_at = now() - interval '91 days' where id = any($1)",
      [[unknown, gone]],
    );
    await forgetOldTexts(service.database.query);
    expect([await stored(unknown), await stored(gone)]).toEqual([undefined, undefined]);
    await expect(service.as(someone()).inboundTexts.unmatched({ limit: 1 })).rejects.toMatchObject({
      name: 'Forbidden',
    });
  });

  it('is kept and answered while contacts does not respond, holds back texts to its number, and is settled afterwards', async () => {
    const { to } = await texted();
    const next = await due('Text Contact', { contact_id: to.id });
    const id = sid();
    await using held = await openTransaction(
      service.contacts.database,
      'lock table contacts, events, opt_outs',
    );
    expect(await post(to.phone, 'STOP', id)).toMatchObject({ status: 200 });
    await held.rollback();
    expect(await stored(id)).toMatchObject({ body: 'STOP', settled: false });
    await turn();
    expect(await next.now()).toMatchObject({
      dispatch_state: 'Scheduled',
      dispatch_reason: 'A text from the contact has just come in.',
    });
    await service.contacts.rows('alter table events rename to events_away');
    await settleTexts(workerContext);
    expect(
      await service.rows('select problem from inbound_texts where id = $1 and problem is null', [id]),
    ).toEqual([]);
    await service.contacts.rows('alter table events_away rename to events');
    expect(await optOuts.among({ numbers: [to.phone] })).toEqual([to.phone]);
    await settle();
    expect(await eventsOf(to.id)).toMatchObject([{ description: 'STOP' }]);
    await later();
    await turn();
    expect(await next.now()).toMatchObject({ dispatch_reason: 'The number of the contact has opted out.' });
  });

  it("is refused without the provider's signature for its whole URL, and then changes nothing", async () => {
    const id = sid();
    expect(await post('+16045559002', 'STOP', id, { secret: 'not-the-secret' })).toMatchObject({
      status: 403,
    });
    expect(await post('+16045559002', 'STOP', id, { path: '/callbacks/other' })).toMatchObject({
      status: 403,
    });
    expect(await stored(id)).toBeUndefined();
    expect(await post('+16045559002', 'hello', sid(), { query: 'a=1' })).toMatchObject({ status: 200 });
  });

  it.each([
    ['STOP', 'START'],
    ['optout', 'unstop'],
  ])('"%s" ends texts and "%s" starts them again, in order of arrival', async (stop, start) => {
    const { phone } = await under.contact();
    const id = sid();
    await post(phone, stop, id);
    await settle();
    expect(await optOuts.among({ numbers: [phone] })).toEqual([phone]);
    await post(phone, start);
    await settle();
    expect(await optOuts.among({ numbers: [phone] })).toEqual([]);
    await post(phone, stop, id);
    await settle();
    expect(await optOuts.among({ numbers: [phone] })).toEqual([]);
  });

  it.each([
    ['Genoeg', { OptOutType: 'STOP' }, 'JOIN', { OptOutType: 'START' }],
    ['remove me from this list please', { OptOutType: 'stop' }, 'START', {}],
    ['Revoke', {}, 'Yes', { OptOutType: 'Start' }],
  ])(
    'opts its number out and in as the provider understood it: "%s" (%o), "%s" (%o)',
    async (stop, stopForm, start, startForm) => {
      const { phone } = await under.contact();
      await post(phone, stop, sid(), { form: stopForm });
      await settle();
      expect(await optOuts.among({ numbers: [phone] })).toEqual([phone]);
      await post(phone, start, sid(), { form: startForm });
      await settle();
      expect(await optOuts.among({ numbers: [phone] })).toEqual([]);
    },
  );

  it('that the provider understood as START may claim a lead, and ends the opt-out in both cases', async () => {
    const { phone, id: contact_id } = await under.contact();
    const yes = sid();
    await post(phone, 'STOP');
    await settle();
    await post(phone, 'YES', yes, { form: { OptOutType: 'START' } });
    expect(await service.asSystem.inboundTexts.undecided({})).toMatchObject([{ id: yes }]);
    await service.asSystem.inboundTexts.decide({ id: yes, is_claim: true, reply: null });
    await settle();
    expect(await optOuts.among({ numbers: [phone] })).toEqual([]);
    expect(await stored(yes)).toMatchObject({ meaning: 'start', settled: true, contact_id: null });
    expect(await eventsOf(contact_id)).toMatchObject([{ description: 'STOP' }]);
  });

  it('"HELP" is answered once with the name of the sender, how to stop and whom to ask, unless the provider has answered', async () => {
    const { to, from } = await texted();
    const before = textsTo(to.phone).length;
    const id = sid();
    await post(to.phone, 'Help', id);
    await post(to.phone, 'Help', id);
    await post(to.phone, 'INFO', sid(), { form: { OptOutType: 'HELP' } });
    await afterwards();
    expect(textsTo(to.phone).slice(before)).toMatchObject([
      {
        words: `These texts are from Anna Lopez. Reply STOP to end them or START to get them again. Questions: ${from.phone}`,
      },
    ]);
    await post('+16045559003', 'info');
    await afterwards();
    expect(textsTo('+16045559003')).toMatchObject([
      {
        words: expect.stringMatching(
          /from Harbour Homes\. Reply STOP .* Questions: office@harbour\.example$/,
        ),
      },
    ]);
  });
});
