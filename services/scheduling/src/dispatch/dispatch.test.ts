import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { communicationTypes } from '../communications/communication-type.api.ts';
import { openDispatch } from './dispatch.ts';
import { type CommunicationFault, setFault } from './fault.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, mail, carrier, turn, later, instance, sender, contact, communication, row } = under;

const points: readonly CommunicationFault[] = [
  'communication.leased',
  'communication.begun',
  'communication.sent',
  'communication.settled',
];

afterEach(() => {
  mail.behave(undefined);
  carrier.behave(undefined);
  for (const point of points) setFault(point);
});

const crash = () => {
  throw new Error('crash');
};
const refuseAll = (answer: { email: number; other: number }) => {
  mail.behave(() => ({ answer: answer.email }));
  carrier.behave(() => ({ answer: answer.other }));
};
const breakAll = () => {
  mail.behave(() => 'break after accepting');
  carrier.behave(() => 'break after accepting');
};

type Type = (typeof communicationTypes)[number];

/** A communication that is due, between two people of its own. */
async function due(type: Type, facts: object = {}) {
  const [from, to] = [await sender(), await contact()];
  const id = await communication({ type, contact_id: to.id, send_from_user_id: from.id, ...facts });
  const { key } = await row(id);
  return { id, key, from, to, now: () => row(id), received: () => under.received(key) };
}

/** What PATCH does with one that is not on its way. */
const complete = async (id: number) => {
  const done = await service.rows(
    `update communications set is_active = false, completed_at = now(), completing_user_id = 7,
       dispatch_state = 'Dropped', lease_until = null
     where id = $1 and not (dispatch_state = 'Sending' and begun_at is not null) and is_active returning id`,
    [id],
  );
  return done.length > 0;
};

const eventsOf = async (id: number) =>
  (await service.published())
    .filter(({ data }) => (data as { communication_id?: number }).communication_id === id)
    .map(({ type }) => type.replace('crm.scheduling.communication.', ''));

describe('a communication that is due', () => {
  it('by e-mail arrives in the name of its sender, who gets the answers, as HTML and as text', async () => {
    const { id, key, from, to, now } = await due('Email Contact', {
      body: '<p>Dear {{contact.full_name}} {{contact.company}}</p><p>Yours, {{user.first_name}} {{nobody}}</p>',
    });
    await turn();
    const email = mail.mails().find(({ message_id }) => message_id?.includes(String(key)));
    expect(email).toMatchObject({ deliveries: 1, subject: 'Hello Carla' });
    expect(email?.to).toEqual([to.email]);
    expect(JSON.stringify(email)).toContain('office@harbour.example');
    expect(JSON.stringify(email)).toContain('Anna Lopez');
    expect(JSON.stringify(email)).toContain(from.email);
    expect(email?.html).toContain('<p>Dear Carla Jones </p>');
    expect(email?.text).toMatch(/^Dear Carla Jones\n\nYours, Anna\s*$/);
    expect(await now()).toMatchObject({
      dispatch_state: 'Sent',
      dispatch_reason: 'There was no value for contact.company. These are no merge fields: nobody.',
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

  it('by call tells its sender whom to call, at which number, and what to say', async () => {
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

  it('is not sent before its time', async () => {
    const { now } = await due('Email Contact', { send_at: "now() + interval '5 minutes'" });
    await turn();
    expect(await now()).toMatchObject({ dispatch_state: 'Scheduled', attempts: 0 });
  });

  it('goes out once however many instances look for it', async () => {
    const [from, to] = [await sender(), await contact()];
    const facts = { type: 'Text Contact', body: 'Hi', contact_id: to.id, send_from_user_id: from.id };
    const ids = await Promise.all(Array.from({ length: 20 }, () => communication(facts)));
    await Promise.all(Array.from({ length: 4 }, () => instance()()));
    for (const id of ids) {
      const { key, ...sent } = await row(id);
      expect(sent).toMatchObject({ dispatch_state: 'Sent', attempts: 1 });
      expect(under.received(key)).toEqual({ arrivals: 1, accepted: 1 });
    }
  });

  it('does not wait for the thousands of somebody else', async () => {
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

  it('that the provider refuses has failed, says why and so does an event, and is not sent again', async () => {
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

  it('that the provider cannot take now waits, and goes out under the same key', async () => {
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

  it('of which nobody knows whether it was taken is sent again under the same key, and taken once', async () => {
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

  it(`of which nobody knows whether a provider that forgets keys took it is sent again: ${isEmail}`, async () => {
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
            dispatch_state: 'Failed',
            dispatch_reason: expect.stringMatching(/Nobody knows.*not sent again/),
          },
    );
    expect(received().arrivals).toBe(isEmail ? 2 : 1);
  });

  it.each(points)('is taken by the provider once after a crash at «%s»', async (point) => {
    const { id, now, received } = await due(type);
    setFault(point, crash);
    await expect(turn()).rejects.toThrow('crash');
    setFault(point);
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
    'by a provider that forgets keys is not taken twice after a crash at «%s»',
    async (point) => {
      const { id, now, received } = await due(type);
      const send = instance(false);
      setFault(point, crash);
      await expect(send()).rejects.toThrow('crash');
      setFault(point);
      const before = received().arrivals;
      await later();
      await send();
      await send();
      const isSent = isEmail || point === 'communication.leased';
      expect(await now()).toMatchObject({ dispatch_state: isSent ? 'Sent' : 'Failed' });
      expect(received()).toMatchObject({ arrivals: before + (isSent ? 1 : 0) });
      expect(received().accepted).toBeLessThanOrEqual(1);
      expect(await eventsOf(id)).toEqual([isSent ? 'dispatched' : 'failed']);
    },
  );
});

describe('a communication that is on its way', () => {
  it('has a whole lease from when it is handed over, however long it was prepared', async () => {
    const { id } = await due('Text Contact');
    setFault('communication.leased', async () => {
      await service.rows(
        "update communications set lease_until = now() + interval '1 second' where dispatch_state = 'Sending'",
      );
    });
    const left: unknown[] = [];
    setFault('communication.begun', async () => {
      const [one] = await service.rows(
        'select extract(epoch from lease_until - now())::int as seconds from communications where id = $1',
        [id],
      );
      left.push(one?.seconds);
    });
    await turn();
    expect(left).toEqual([expect.toSatisfy((seconds: number) => seconds > 45)]);
  });

  it('is not touched by one who lost it', async () => {
    const { now, received } = await due('Text Contact');
    let isFirst = true;
    setFault('communication.leased', async () => {
      if (!isFirst) return;
      isFirst = false;
      await later();
      await turn();
    });
    await turn();
    expect(await now()).toMatchObject({ dispatch_state: 'Sent', attempts: 2 });
    expect(received().arrivals).toBe(1);
  });

  it('is not ended by one who handed it over too slowly, and whom somebody else has followed', async () => {
    const { now, received } = await due('Text Contact');
    setFault('communication.sent', async () => {
      setFault('communication.sent');
      await later();
      const another = openDispatch(under.settings, under.workerContext);
      await another.take({ 'Text Contact': 10 });
      await another.close();
    });
    await turn();
    expect(await now()).toMatchObject({ dispatch_state: 'Sending', attempts: 2 });
    await later();
    await turn();
    expect(await now()).toMatchObject({ dispatch_state: 'Sent', attempts: 3 });
    expect(received()).toEqual({ arrivals: 2, accepted: 1 });
  });

  it('waits when another service does not answer', async () => {
    const { now } = await due('Text Contact');
    await service.contacts.rows('alter table opt_outs rename to opt_outs_away');
    await turn();
    await service.contacts.rows('alter table opt_outs_away rename to opt_outs');
    expect(await now()).toMatchObject({
      dispatch_state: 'Scheduled',
      dispatch_reason: 'Another service did not answer.',
    });
    await later();
    await turn();
    expect(await now()).toMatchObject({ dispatch_state: 'Sent' });
  });

  it('is not sent when somebody has marked it as done in the meantime', async () => {
    const { id, now, received } = await due('Text Contact');
    setFault('communication.leased', async () => {
      expect(await complete(id)).toBe(true);
    });
    await turn();
    expect(await now()).toMatchObject({ dispatch_state: 'Dropped', completing_user_id: 7 });
    expect(received().arrivals).toBe(0);
    expect(await eventsOf(id)).toEqual([]);
  });

  it('cannot be marked as done once it was begun, and ends as sent', async () => {
    const { id, now, received } = await due('Text Contact');
    setFault('communication.begun', async () => {
      expect(await complete(id)).toBe(false);
    });
    await turn();
    expect(await complete(id)).toBe(false);
    expect(await now()).toMatchObject({ dispatch_state: 'Sent', completing_user_id: null });
    expect(received().arrivals).toBe(1);
  });

  it('waits for somebody who marks it as done at that moment, and then is not sent', async () => {
    const { id, now, received } = await due('Text Contact');
    const client = await service.database.pool.connect();
    let sending: Promise<unknown> | undefined;
    try {
      setFault('communication.leased', async () => {
        await client.query('begin');
        await client.query(
          `update communications set is_active = false, completed_at = now(), completing_user_id = 7,
             dispatch_state = 'Dropped', lease_until = null where id = ${id}`,
        );
      });
      sending = turn();
      await waitedFor();
      await client.query('commit');
      await sending;
    } finally {
      client.release();
    }
    expect(await now()).toMatchObject({ dispatch_state: 'Dropped', completing_user_id: 7 });
    expect(received().arrivals).toBe(0);
  });

  it.each(['campaign contact', 'campaign'])(
    'is not tried again when the %s was stopped while the provider failed',
    async (what) => {
      const { id, now, received } = await due('Text Contact');
      const { campaign_contact_id, campaign_id } = await now();
      const stopped = what === 'campaign' ? { campaign_id } : { campaign_contact_id };
      carrier.behave(() => ({ answer: 503 }));
      setFault('communication.begun', async () => {
        await service.asSystem.enrolments.stop(stopped as { readonly campaign_id: number });
      });
      await turn();
      setFault('communication.begun');
      carrier.behave(undefined);
      expect(await now()).toMatchObject({ dispatch_state: 'Scheduled', attempts: 1 });
      await later();
      await turn();
      expect(await now()).toMatchObject({
        dispatch_state: 'Dropped',
        dispatch_reason: 'The campaign was stopped for this contact.',
        is_active: false,
      });
      expect(received().accepted).toBe(0);
      expect(await eventsOf(id)).toEqual(['stopped']);
    },
  );

  it('is not sent when it was removed meanwhile', async () => {
    const { id, received } = await due('Text Contact');
    setFault('communication.leased', async () => {
      await service.rows('delete from communications where id = $1', [id]);
    });
    await turn();
    expect(received().arrivals).toBe(0);
  });

  /** Returns when a statement waits for a lock. */
  async function waitedFor() {
    for (;;) {
      const [one] = await service.rows(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      if (one) return;
    }
  }
});
