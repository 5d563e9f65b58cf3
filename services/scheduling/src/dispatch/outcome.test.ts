import { randomUUID } from 'node:crypto';
import { clearCrashPoints, setCrashPoint, setCrashPointOnce } from '@crm/dispatch';
import { webRequest } from '@crm/testing';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, mail, carrier, later, instance, due, eventsOf, wait, reportText, settings } = under;
/** A typical provider: it accepts a repeated message twice. */
const send = instance(false);

afterEach(() => {
  carrier.behave(undefined);
  clearCrashPoints();
  vi.restoreAllMocks();
});

describe.each(['Text Contact', 'Call Contact'] as const)('a %s whose response was lost', (type) => {
  it.each([
    ['was accepted', 'break after accepting', 10, 'Sent', ['dispatched']],
    ['was not accepted', 'break before accepting', 200, 'Failed', ['failed']],
  ] as const)(
    'is unknown until the provider is asked, and %s',
    async (_what, behaviour, seconds, state, events) => {
      const { id, now, received } = await due(type);
      carrier.behave(() => behaviour);
      await send();
      carrier.behave(undefined);
      expect(await now()).toMatchObject({ dispatch_state: 'Unknown', is_active: true });
      expect(await eventsOf(id)).toEqual([]);
      await wait(id, seconds);
      await send.reconcile();
      expect(await now()).toMatchObject({ dispatch_state: state, is_active: state !== 'Sent' });
      expect(await eventsOf(id)).toEqual(events);
      expect(received().arrivals).toBe(1);
    },
  );

  it('stays unknown while the provider does not list it yet, or cannot be asked', async () => {
    const { id, now } = await due(type);
    carrier.behave(() => 'break before accepting');
    await send();
    await wait(id);
    await send.reconcile();
    expect(await now()).toMatchObject({ dispatch_state: 'Unknown' });
    await wait(id, 200);
    const { carrier: account } = settings.delivery;
    const elsewhere = under.instanceWith({ ...account, url: 'http://127.0.0.1:9', honoursKeys: false });
    await elsewhere.reconcile();
    expect(await now()).toMatchObject({ dispatch_state: 'Unknown' });
  });

  it('is not mistaken for another one that the provider accepted', async () => {
    const one = await due(type, { body: 'The same words' });
    const to = { contact_id: one.to.id, send_from_user_id: one.from.id };
    const facts = { ...to, body: 'The same words', campaign_id: 2 };
    await send();
    const other = await due(type, facts);
    carrier.behave(() => 'break before accepting');
    await send();
    await wait(other.id, 100);
    await send.reconcile();
    expect([await one.now(), await other.now()]).toMatchObject([
      { dispatch_state: 'Sent' },
      { dispatch_state: 'Unknown' },
    ]);
  });
});

describe("the provider's report about a text", () => {
  it.each([
    ['sent', 'Sent', 'Sent', ['dispatched']],
    ['failed', 'Failed', 'Failed', ['failed']],
  ] as const)('with the status %s decides its outcome', async (status, state, delivery_state, events) => {
    const { id, key, now } = await due('Text Contact');
    carrier.behave(() => 'break after accepting');
    await send();
    expect(await reportText(key, status)).toBe(204);
    expect(await now()).toMatchObject({ dispatch_state: state, delivery_state });
    expect(await eventsOf(id)).toEqual(events);
  });

  it('before its worker is killed is not lost', async () => {
    const { key, now } = await due('Text Contact');
    setCrashPoint('communication.sent', async () => {
      await reportText(key, 'delivered');
      throw new Error('crash');
    });
    await expect(send()).rejects.toThrow('crash');
    clearCrashPoints();
    await later();
    await send();
    await send.reconcile();
    expect(await now()).toMatchObject({ dispatch_state: 'Sent', delivery_state: 'Delivered' });
  });

  it('is shown, whatever the order in which reports arrive', async () => {
    const { id, key, now } = await due('Text Contact');
    await send();
    for (const status of ['delivered', 'sent', 'queued']) await reportText(key, status);
    expect(await now()).toMatchObject({ dispatch_state: 'Sent', delivery_state: 'Delivered' });
    expect(await eventsOf(id)).toEqual(['dispatched']);
  });

  it.each([
    ['21610', 'Reply', 'The number has opted out of texts.'],
    ['30003', null, 'The phone with this number could not be reached.'],
    ['30006', 'Bounce', 'The number is a landline or cannot receive texts.'],
    ['30007', null, 'The network treated the text as spam.'],
    ['39999', null, 'The carrier did not deliver it (error 39999).'],
  ])('with the error %s says why, and whether the number gets more texts', async (code, source, reason) => {
    const { key, now, to } = await due('Text Contact');
    await send();
    await reportText(key, 'undelivered', { form: { ErrorCode: code } });
    expect(await now()).toMatchObject({ delivery_state: 'Undelivered', dispatch_reason: reason });
    const [contact] = await service.contacts.asSystem.contacts.exportForDispatch({ ids: [to.id] });
    expect(contact?.text_opt_out).toBe(source);
  });

  it('that arrives immediately with the error 21610 counts as an opt-out', async () => {
    const { now, to } = await due('Text Contact');
    carrier.behave(() => ({ answer: 400, body: JSON.stringify({ code: 21610, message: 'unsubscribed' }) }));
    await send();
    expect(await now()).toMatchObject({
      dispatch_state: 'Failed',
      dispatch_reason: 'The number has opted out of texts.',
    });
    const [contact] = await service.contacts.asSystem.contacts.exportForDispatch({ ids: [to.id] });
    expect(contact?.text_opt_out).toBe('Reply');
  });

  it("about a refused call to the sender does not opt the sender's number out of texts", async () => {
    const { now, from } = await due('Call Contact');
    carrier.behave(() => ({ answer: 400, body: JSON.stringify({ code: 21211, message: 'not valid' }) }));
    await send();
    expect(await now()).toMatchObject({
      dispatch_state: 'Failed',
      dispatch_reason: 'This is not a phone number.',
    });
    expect(await service.contacts.asSystem.optOuts.among({ numbers: [from.phone] })).toEqual([]);
    const [user] = await service.identity.asSystem.users.byIds({ ids: [from.id] });
    expect(user).toMatchObject({ is_phone_unreachable: true });
  });

  it('is ignored without its signature, and for a text that does not exist', async () => {
    const { key, now } = await due('Text Contact');
    await send();
    expect(await reportText(key, 'delivered', { secret: 'not-the-secret' })).toBe(403);
    expect(await now()).toMatchObject({ delivery_state: null });
    expect(await reportText('00000000-0000-4000-8000-000000000000', 'delivered')).toBe(204);
    expect(await reportText('no-key', 'delivered')).toBe(204);
  });
});

describe('the outcome of a message', () => {
  it('is stored when the database is available again', async () => {
    const { id, now, received } = await due('Text Contact');
    const client = await service.database.pool.connect();
    setCrashPoint('communication.sent', async () => {
      await client.query('begin');
      await client.query('lock table communications in exclusive mode');
      setTimeout(() => client.query('commit').then(() => client.release()), 2_500);
    });
    await send();
    expect(await now()).toMatchObject({ dispatch_state: 'Sent', attempts: 1 });
    expect([received(), await eventsOf(id)]).toEqual([{ arrivals: 1, accepted: 1 }, ['dispatched']]);
  });

  it.each([
    ['Text Contact', 'EHOSTUNREACH'],
    ['Email Contact', 'EAI_AGAIN'],
    ['Email Contact', 'a code that nobody knows'],
  ] as const)('is stored (%s) although connections fail for a while with %s', async (type, code) => {
    const { id, now, received } = await due(type);
    const { pool } = service.database;
    setCrashPointOnce('communication.sent', async () => {
      const connecting = vi.spyOn(pool, 'connect').mockImplementation((done?: unknown) => {
        const error = Object.assign(new Error(`connect ${code}`), { code });
        if (typeof done !== 'function') return Promise.reject(error);
        return done(error);
      });
      setTimeout(() => connecting.mockRestore(), 500);
    });
    await send();
    expect(await now()).toMatchObject({ dispatch_state: 'Sent', attempts: 1 });
    await later();
    await send();
    expect([received(), await eventsOf(id)]).toEqual([{ arrivals: 1, accepted: 1 }, ['dispatched']]);
  });

  it('that is known after its lease has ended replaces an unknown one', async () => {
    const { id, now } = await due('Text Contact');
    setCrashPointOnce('communication.sent', async () => {
      await later();
      await send();
      expect(await now()).toMatchObject({ dispatch_state: 'Unknown' });
    });
    await send();
    expect(await now()).toMatchObject({ dispatch_state: 'Sent', attempts: 1 });
    expect(await eventsOf(id)).toEqual(['dispatched']);
  });
});

describe('an e-mail that bounces', () => {
  it.each([
    ['5.1.1 No such user', 'Bounce', 'The address of the contact cannot be reached.'],
    ['5.7.1 Blocked by a policy', null, null],
  ])('with %s makes the consent %s', async (body, source, reason) => {
    const one = await due('Email Contact');
    mail.behave(() => ({ answer: 550, body }));
    await under.turn();
    mail.behave(undefined);
    expect(await one.now()).toMatchObject({ dispatch_state: 'Failed' });
    const [to] = await service.contacts.asSystem.contacts.exportForDispatch({ ids: [one.to.id] });
    expect(to?.email_opt_out).toBe(source);
    const next = await due('Email Contact', { contact_id: one.to.id, send_from_user_id: one.from.id });
    await under.turn();
    expect(await next.now()).toMatchObject({ dispatch_reason: reason });
  });
});

describe('a report of a bounced e-mail', () => {
  async function report(
    key: unknown,
    status: string,
    authorization = `Bearer ${settings.delivery.bounceToken}`,
    said = '550 No such user',
  ) {
    const body = [
      'Content-Type: message/delivery-status',
      `Original-Envelope-Id: ${key}`,
      'Action: failed',
      `Status: ${status}`,
      `Diagnostic-Code: smtp; ${said}`,
    ].join('\r\n');
    return (await service.asSystem.bounces.report(webRequest({ headers: { authorization }, body }))).status;
  }

  it('about an e-mail of another service waits, even if it replaces one that is being settled', async () => {
    const { bounces } = service.asSystem;
    const key = randomUUID();
    await report(key, '4.4.7');
    const [first] = await bounces.unmatched({});
    await report(key, '5.1.1');
    if (first) await bounces.settle({ reports: [first] });
    const [second] = await bounces.unmatched({});
    expect(second).toMatchObject({ key, is_unreachable: true });
    if (second) await bounces.settle({ reports: [second] });
    expect(await bounces.unmatched({})).toEqual([]);
  });

  it('is stored without characters that cannot be stored', async () => {
    const { key, now } = await due('Email Contact');
    await send();
    expect(await report(key, '5.7.1', undefined, '550 \0 \x1b no')).toBe(204);
    expect(await now()).toMatchObject({
      delivery_state: 'Undelivered',
      dispatch_reason: 'The e-mail came back: 5.7.1 550 no',
    });
  });

  it.each([
    ['5.1.1', 'Bounce'],
    ['5.2.1', 'Bounce'],
    ['5.2.2', null],
    ['5.7.1', null],
    ['4.4.7', null],
  ])('with the status %s is stored, and blocks the address if it is permanent', async (status, source) => {
    const { key, to, now } = await due('Email Contact');
    await send();
    expect(await report(key, status, 'Bearer not-the-secret')).toBe(403);
    expect(await now()).toMatchObject({ dispatch_state: 'Sent', delivery_state: null });
    expect(await report(key, status)).toBe(204);
    expect(await now()).toMatchObject({
      dispatch_state: 'Sent',
      delivery_state: 'Undelivered',
      dispatch_reason: `The e-mail came back: ${status} 550 No such user`,
    });
    const [contact] = await service.contacts.asSystem.contacts.exportForDispatch({ ids: [to.id] });
    expect(contact?.email_opt_out).toBe(source);
  });

  it('about an e-mail that does not exist changes nothing', async () => {
    expect(await report('00000000-0000-4000-8000-000000000000', '5.1.1')).toBe(204);
    expect(await report('nothing', '5.1.1')).toBe(204);
  });
});
