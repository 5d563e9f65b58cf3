import { randomUUID } from 'node:crypto';
import { someone, webRequest } from '@crm/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { sid, textsOf } from '../../test/texts.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, mail, carrier, turn, later, due, wait, eventsOf, settings } = under;
const { post, settle, stored } = textsOf(under);

afterEach(() => {
  mail.behave(undefined);
  carrier.behave(undefined);
});

type Due = Awaited<ReturnType<typeof due>>;

const moved =
  'It is not known yet whether an earlier attempt has sent it. Its recipient has another number or address now.';

const change = ({ from, to }: Due, facts: { email?: string; mobile_phone?: string }) =>
  service.contacts.as({ ...someone(), id: from.id }).contacts.patch({ id: to.id, ...facts });

const emailSource = async (id: number) =>
  (await service.contacts.asSystem.contacts.exportForDispatch({ ids: [id] }))[0]?.email_opt_out;

describe('an e-mail that may have been sent before its contact got another address', () => {
  const attempted = async () => {
    const one = await due('Email Contact');
    mail.behave(() => 'break after accepting');
    await turn();
    mail.behave(undefined);
    const other = `${randomUUID()}@example.com`;
    await change(one, { email: other });
    await later();
    await turn();
    const first = await under.contact({ email: one.to.email });
    return { one, first };
  };

  it('is not sent to the new address', async () => {
    const { one } = await attempted();
    expect(one.received()).toEqual({ arrivals: 1, accepted: 1 });
    expect(await one.now()).toMatchObject({
      sent_to: one.to.email,
      dispatch_state: 'Unknown',
      dispatch_reason: moved,
      doubtful_attempts: 1,
    });
    expect(await eventsOf(one.id)).toEqual([]);
  });

  it('unsubscribes the address that it was sent to', async () => {
    const { one, first } = await attempted();
    const body = 'List-Unsubscribe=One-Click';
    const click = webRequest({ params: { key: String(one.key) }, body });
    expect((await service.asSystem.unsubscribe.unsubscribe(click)).status).toBe(200);
    expect(await emailSource(first.id)).toBe('List-Unsubscribe');
    expect(await emailSource(one.to.id)).toBeNull();
  });

  it('opts out the address of a bounce report', async () => {
    const { one, first } = await attempted();
    const body = [
      'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
      '',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.example.com',
      '',
      `Final-Recipient: rfc822; ${one.to.email}`,
      'Action: failed',
      'Status: 5.1.1',
      '',
      '--b',
      'Content-Type: message/rfc822',
      '',
      `Message-ID: <${one.key}@harbour.example>`,
      '--b--',
    ].join('\r\n');
    const headers = { authorization: `Bearer ${settings.delivery.bounceToken}` };
    await service.asSystem.bounces.report(webRequest({ headers, body }));
    expect(await emailSource(first.id)).toBe('Bounce');
    expect(await emailSource(one.to.id)).toBeNull();
  });
});

describe('a text that may have been sent before its contact got another number', () => {
  it.each([
    ['was accepted', 'break after accepting', 10, 'Sent'],
    ['was not accepted', 'break before accepting', 200, 'Failed'],
  ] as const)(
    'is not sent to the new number, and the provider is asked: it %s',
    async (_what, behaviour, seconds, state) => {
      const one = await due('Text Contact');
      carrier.behave(() => behaviour);
      await turn();
      carrier.behave(undefined);
      await change(one, { mobile_phone: under.number() });
      await later();
      await turn();
      expect(one.received().arrivals).toBe(1);
      expect(await one.now()).toMatchObject({ dispatch_state: 'Unknown', dispatch_reason: moved });
      await wait(one.id, seconds);
      await turn.reconcile();
      expect(await one.now()).toMatchObject({ dispatch_state: state, sent_to: one.to.phone });
    },
  );

  it('is what a text from the first number replies to', async () => {
    const one = await due('Text Contact');
    carrier.behave(() => 'break after accepting');
    await turn();
    carrier.behave(undefined);
    await change(one, { mobile_phone: under.number() });
    await later();
    await turn();
    const id = sid();
    await post(one.to.phone, 'Yes, please', id);
    await settle();
    expect(await stored(id)).toMatchObject({ contact_id: one.to.id });
  });

  it('is sent again to the same number', async () => {
    const one = await due('Text Contact');
    carrier.behave(() => 'break before accepting');
    await turn();
    carrier.behave(undefined);
    await later();
    await turn();
    expect(await one.now()).toMatchObject({ dispatch_state: 'Sent', attempts: 2 });
  });
});

it('a message that was certainly not sent goes to the current number of the contact', async () => {
  const one = await due('Text Contact');
  carrier.behave(() => ({ answer: 429 }));
  await turn();
  carrier.behave(undefined);
  const number = under.number();
  await change(one, { mobile_phone: number });
  await later();
  await turn();
  expect(await one.now()).toMatchObject({ dispatch_state: 'Sent', sent_to: number });
});
