import { clearCrashPoints, setCrashPoint } from '@crm/dispatch';
import { crash } from '@crm/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { communicationTypes } from '../communications/communication-type.api.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { mail, carrier, turn, later, instance, sender, contact, communication, due, eventsOf, row } = under;

const points = ['communication.leased', 'communication.begun', 'communication.sent', 'communication.settled'];

afterEach(() => {
  mail.behave(undefined);
  carrier.behave(undefined);
  clearCrashPoints();
});

const refuseAll = (answer: { email: number; other: number }) => {
  mail.behave(() => ({ answer: answer.email }));
  carrier.behave(() => ({ answer: answer.other }));
};
const breakAll = () => {
  mail.behave(() => 'break after accepting');
  carrier.behave(() => 'break after accepting');
};

describe('a due communication', () => {
  it('by e-mail arrives with the name of its sender, who gets the replies, as HTML and as text', async () => {
    const { id, key, from, to, now } = await due('Email Contact', {
      body: '<p>Dear {{contact.full_name}} {{contact.company}}</p><p>Yours, {{user.first_name}} {{nobody}}</p>',
    });
    await turn();
    const email = (await mail.mails()).find(({ message_id }) => message_id?.includes(String(key)));
    expect(email).toMatchObject({ deliveries: 1, subject: 'Hello Carla' });
    expect(email?.to).toEqual([to.email]);
    expect(JSON.stringify(email)).toContain('office@harbour.example');
    expect(JSON.stringify(email)).toContain('Anna Lopez');
    expect(JSON.stringify(email)).toContain(from.email);
    expect(email?.html).toContain('<p>Dear Carla Jones </p>');
    expect(email?.text).toMatch(/^Dear Carla Jones\n\nYours, Anna\n\nUnsubscribe: /);
    expect(await now()).toMatchObject({
      dispatch_state: 'Sent',
      dispatch_reason: 'There was no value for contact.company. These are not merge fields: nobody.',
      is_active: false,
      completed_at: expect.any(String),
      completing_user_id: null,
      sent_to: to.email,
      attempts: 1,
    });
    expect(await eventsOf(id)).toEqual(['dispatched']);
  });

  it('by text arrives at the mobile phone of the contact', async () => {
    const { key, to, now } = await due('Text Contact', { body: 'Hi {{contact.first_name}}, <3' });
    await turn();
    expect(carrier.texts().find((text) => text.key === key)).toMatchObject({
      to: to.phone,
      words: 'Hi Carla, <3',
    });
    expect(await now()).toMatchObject({ dispatch_state: 'Sent', dispatch_reason: null, sent_to: to.phone });
  });

  it('by call asks its sender to call the contact, with the number and the text', async () => {
    const { key, from, to } = await due('Call Contact', {
      body: 'Ask how\nthe {{contact.company}}viewing was.',
    });
    await turn();
    const call = carrier.calls().find((one) => one.key === key);
    expect(call).toMatchObject({ to: from.phone, key_press_url: undefined });
    const digits = to.phone.slice(1).split('').join(' ');
    expect(call?.words).toBe(
      `Hello Anna Lopez. Please call Carla Jones at ${digits}. Ask how the viewing was.`,
    );
  });

  it('by call says the extension of the number', async () => {
    const { key, to } = await due('Call Contact');
    const phones = "mobile_phone = null, mobile_phone_e164 = null, office_phone = '604 555 4572 x12'";
    await under.service.contacts.rows(
      `update contacts set ${phones}, office_phone_e164 = '+16045554572' where id = $1`,
      [to.id],
    );
    await turn();
    const call = carrier.calls().find((one) => one.key === key);
    expect(call?.words).toContain('at 1 6 0 4 5 5 5 4 5 7 2, extension 1 2.');
  });

  it('is not sent before its time', async () => {
    const { now } = await due('Email Contact', { send_at: "now() + interval '5 minutes'" });
    await turn();
    expect(await now()).toMatchObject({ dispatch_state: 'Scheduled', attempts: 0 });
  });

  it('is sent once, however many instances look for it', async () => {
    const from = await sender();
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { id: contact_id } = await contact();
        return communication({ type: 'Text Contact', body: 'Hi', contact_id, send_from_user_id: from.id });
      }),
    );
    await Promise.all(Array.from({ length: 4 }, () => instance()()));
    for (const id of ids) {
      const { key, ...sent } = await row(id);
      expect(sent).toMatchObject({ dispatch_state: 'Sent', attempts: 1 });
      expect(under.received(key)).toEqual({ arrivals: 1, accepted: 1 });
    }
  });

  it('does not wait for thousands of messages of another sender', async () => {
    const [from, to] = [await sender(), await contact()];
    for (let n = 0; n < 12; n++)
      await communication({
        contact_id: to.id,
        send_from_user_id: from.id,
        send_at: "now() - interval '5 minutes'",
      });
    const one = await due('Email Contact');
    await instance(true, { 'Email Contact': 2, 'Text Contact': 0, 'Call Contact': 0 })();
    expect(await one.now()).toMatchObject({ dispatch_state: 'Sent' });
    await turn();
  });
});

describe.each(communicationTypes)('a communication of the type %s', (type) => {
  const isEmail = type === 'Email Contact';

  it('that the provider refuses fails with a reason and an event, and is not sent again', async () => {
    const { id, now, received } = await due(type);
    refuseAll({ email: 550, other: 400 });
    await turn();
    expect(await now()).toMatchObject({
      dispatch_state: 'Failed',
      dispatch_reason: expect.stringMatching(/550|400/),
      is_active: true,
      completed_at: null,
    });
    expect(await eventsOf(id)).toEqual(['failed']);
    refuseAll({ email: 250, other: 201 });
    await later();
    await turn();
    expect(received()).toEqual({ arrivals: 1, accepted: 0 });
  });

  it('that the provider cannot accept now waits, and is sent with the same key', async () => {
    const { id, now, received } = await due(type);
    refuseAll({ email: 451, other: 503 });
    await turn();
    expect(await now()).toMatchObject({
      dispatch_state: 'Scheduled',
      dispatch_reason: expect.stringMatching(/451|503/),
    });
    expect(await eventsOf(id)).toEqual([]);
    mail.behave(undefined);
    carrier.behave(undefined);
    await later();
    await turn();
    expect(await now()).toMatchObject({ dispatch_state: 'Sent', dispatch_reason: null, attempts: 2 });
    expect(received()).toEqual({ arrivals: 2, accepted: 1 });
  });

  it('with an unknown outcome is sent again with the same key, and accepted once', async () => {
    const { now, received } = await due(type);
    breakAll();
    await turn();
    mail.behave(undefined);
    carrier.behave(undefined);
    await later();
    await turn();
    expect(await now()).toMatchObject({ dispatch_state: 'Sent' });
    expect(received()).toEqual({ arrivals: 2, accepted: 1 });
  });

  it(`with an unknown outcome is sent again when the provider forgets keys: ${isEmail}`, async () => {
    const { now, received } = await due(type);
    const send = instance(false);
    breakAll();
    await send();
    mail.behave(undefined);
    carrier.behave(undefined);
    await later();
    await send();
    expect(await now()).toMatchObject(
      isEmail
        ? { dispatch_state: 'Sent' }
        : {
            dispatch_state: 'Unknown',
            dispatch_reason: expect.stringMatching(/not known yet.*not be sent again/),
          },
    );
    expect(received().arrivals).toBe(isEmail ? 2 : 1);
  });

  it.each(points)('is accepted by the provider once after a crash at "%s"', async (point) => {
    const { id, now, received } = await due(type);
    setCrashPoint(point, crash);
    await expect(turn()).rejects.toThrow('crash');
    clearCrashPoints();
    await turn();
    expect(await now()).toMatchObject({ dispatch_state: 'Sending', attempts: 1 });
    await later();
    await turn();
    expect(await now()).toMatchObject({ dispatch_state: 'Sent', attempts: 2 });
    const wasThere = point === 'communication.sent' || point === 'communication.settled';
    expect(received()).toEqual({ arrivals: wasThere ? 2 : 1, accepted: 1 });
    expect(await eventsOf(id)).toEqual(['dispatched']);
  });

  it.each(points)(
    'is not accepted twice by a provider that forgets keys after a crash at "%s"',
    async (point) => {
      const { id, now, received } = await due(type);
      const send = instance(false);
      setCrashPoint(point, crash);
      await expect(send()).rejects.toThrow('crash');
      clearCrashPoints();
      const before = received().arrivals;
      await later();
      await send();
      await send();
      const isSent = isEmail || point === 'communication.leased';
      expect(await now()).toMatchObject({ dispatch_state: isSent ? 'Sent' : 'Unknown' });
      expect(received()).toMatchObject({ arrivals: before + (isSent ? 1 : 0) });
      expect(received().accepted).toBeLessThanOrEqual(1);
      expect(await eventsOf(id)).toEqual(isSent ? ['dispatched'] : []);
    },
  );
});
