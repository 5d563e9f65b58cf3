import { clearCrashPoints, lostAnswer, setCrashPoint } from '@crm/dispatch';
import { itIsOnlyTheLastOnesWhoTookIt } from '@crm/dispatch/testing';
import { crash, holdAt } from '@crm/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, mail, carrier, turn, later, instance, offer, alerts, reachable } = under;

afterEach(() => {
  mail.behave(undefined);
  carrier.behave(undefined);
  clearCrashPoints();
});

const channels = { Email: 'has_email_alert', Text: 'has_text_alert', Phone: 'has_call_alert' } as const;
type Channel = keyof typeof channels;
const kinds = Object.keys(channels) as Channel[];
const by = (kind: Channel) => ({ [channels[kind]]: true });

/** A lead offered to one member through one channel. */
async function offeredBy(kind: Channel) {
  const { user, phone } = await reachable({ first_name: 'Ben' });
  const { lead_id } = await offer([[user, by(kind)]]);
  const alert = async () => {
    const [one] = await alerts(lead_id);
    if (!one) throw new Error('The lead has no alert.');
    return one;
  };
  const { key } = await alert();
  /** How often a provider received the key, and how many messages the recipient sees: e-mails with the same id count once. */
  const received = () => {
    const [entry] = [...mail.received(), ...carrier.received()].filter((one) => one.key === key);
    const mails = mail.messageIds().filter((id) => id.includes(key));
    const accepted = kind === 'Email' ? mails.length : (entry?.accepted ?? 0);
    return { arrivals: entry?.arrivals ?? 0, accepted };
  };
  return { user, phone, lead_id, key, alert, received };
}

const pick = ({ state, attempts }: { state: string; attempts: number }) => ({ state, attempts });

const refuseAll = (answer: { email: number; other: number }) => {
  mail.behave(() => ({ answer: answer.email }));
  carrier.behave(() => ({ answer: answer.other }));
};
const behaveAll = (behaviour: 'break after accepting' | 'break before accepting') => {
  mail.behave(() => behaviour);
  carrier.behave(() => behaviour);
};

it('a call about an already assigned lead asks for no key', async () => {
  const { user, phone } = await reachable({ first_name: 'Ben' });
  await offer([[user, { assign_automatically: true, ...by('Phone') }]]);
  await turn();
  await turn();
  expect(carrier.calls().filter(({ to }) => to === phone)).toMatchObject([{ key_press_url: undefined }]);
});

describe('a due alert', () => {
  it('is sent once through each channel of the offer, and describes the lead and how to claim it', async () => {
    const { user, phone } = await reachable({ first_name: 'Ben', last_name: 'Miller' });
    const { lead_id } = await offer([
      [user, { has_email_alert: true, has_text_alert: true, has_call_alert: true }],
    ]);
    await service.rows(
      `update leads set street_address = '12 Main <St>', city = 'Delta', listing_price = '450,000' where id = $1`,
      [lead_id],
    );
    await turn();
    await turn();

    const all = await alerts(lead_id);
    expect(all.map(({ kind, state, attempts }) => [kind, state, attempts])).toEqual([
      ['Email', 'Done', 1],
      ['Text', 'Done', 1],
      ['Phone', 'Done', 1],
    ]);
    const keys = all.map(({ key }) => key);
    const email = (await mail.mails()).find(({ message_id }) => message_id?.includes(keys[0] ?? ''));
    const text = carrier.texts().find(({ key }) => key === keys[1]);
    const call = carrier.calls().find(({ key }) => key === keys[2]);

    expect(email).toMatchObject({ deliveries: 1, subject: 'New lead: Carla, 12 Main <St>, Delta' });
    expect(email?.text).toMatch(/Hello Ben Miller.*Contact: Carla.*Price: \$450,000.*Source: S/s);
    expect(email?.text).toMatch(/https:\/\/crm\.example\.com\/claim\/[\w-]+\n/);
    expect(email?.html).toContain('12 Main &lt;St&gt;');
    expect(email?.html).not.toContain('<St>');
    expect(text).toMatchObject({ to: phone });
    expect(text?.words).toMatch(
      new RegExp(`^New lead ${lead_id}: Carla, .*Reply CLAIM ${lead_id} .*/claim/[\\w-]+ `),
    );
    expect(call).toMatchObject({ to: phone });
    expect(call?.words).toMatch(/^Hello Ben Miller\. .*Carla.*Press 1 to claim it\.$/);
    expect(call?.key_press_url).toMatch(/^https:\/\/crm\.example\.com\/callbacks\/key-presses\/[\w-]+$/);
  });

  it('is not sent before it is due', async () => {
    const { user } = await reachable();
    const { lead_id } = await offer([[user, { has_email_alert: true, mins_until_lead_offer: 5 }]]);
    await turn();
    expect(await alerts(lead_id)).toMatchObject([{ state: 'Waiting', attempts: 0 }]);
  });

  it('is sent once however many instances run, and late if none ran for a while', async () => {
    const members = await Promise.all(Array.from({ length: 12 }, () => reachable()));
    const { lead_id } = await offer(members.map(({ user }) => [user, by('Text')]));
    await service.rows("update lead_alerts set due_at = due_at - interval '3 hours'");
    await Promise.all(Array.from({ length: 4 }, () => instance()()));
    const all = await alerts(lead_id);
    expect(all.map(({ state }) => state)).toEqual(members.map(() => 'Done'));
    for (const { key } of all) {
      expect(carrier.received().find((entry) => entry.key === key)).toMatchObject({ arrivals: 1 });
    }
  });
});

describe.each(kinds)('by %s, an alert', (kind) => {
  it('that the provider refuses fails with the reason, and is not sent again', async () => {
    const { alert, received } = await offeredBy(kind);
    refuseAll({ email: 550, other: 400 });
    await turn();
    expect(await alert()).toMatchObject({ state: 'Failed', reason: expect.stringMatching(/550|400/) });
    refuseAll({ email: 250, other: 201 });
    await later();
    await turn();
    expect(received()).toEqual({ arrivals: 1, accepted: 0 });
  });

  it('that the provider cannot accept now waits, and is sent later with the same key', async () => {
    const { alert, received } = await offeredBy(kind);
    refuseAll({ email: 451, other: 503 });
    await turn();
    expect(await alert()).toMatchObject({ state: 'Waiting', reason: expect.stringMatching(/451|503/) });
    await turn();
    expect(received().arrivals).toBe(1);
    mail.behave(undefined);
    carrier.behave(undefined);
    await later();
    await turn();
    expect(await alert()).toMatchObject({ state: 'Done', reason: null, attempts: 2 });
    expect(received()).toEqual({ arrivals: 2, accepted: 1 });
  });

  it('that the provider may have accepted is sent again with the same key, and accepted once', async () => {
    const { alert, received } = await offeredBy(kind);
    behaveAll('break after accepting');
    await turn();
    expect(await alert()).toMatchObject({ state: 'Waiting' });
    mail.behave(undefined);
    carrier.behave(undefined);
    await later();
    await turn();
    expect(await alert()).toMatchObject({ state: 'Done' });
    expect(received()).toEqual({ arrivals: 2, accepted: 1 });
  });

  const withoutKeys = kind === 'Email' ? 'is sent again anyway' : 'ends as unknown and is not sent again';
  it(`that a provider without keys may have accepted ${withoutKeys}`, async () => {
    const { alert, received } = await offeredBy(kind);
    const send = instance(false);
    behaveAll('break after accepting');
    await send();
    mail.behave(undefined);
    carrier.behave(undefined);
    await later();
    await send();
    expect(await alert()).toMatchObject(
      kind === 'Email'
        ? { state: 'Done' }
        : { state: 'Unknown', reason: expect.stringContaining(lostAnswer) },
    );
    expect(received().arrivals).toBe(kind === 'Email' ? 2 : 1);
  });

  it.each(['alert.leased', 'alert.begun', 'alert.sent'] as const)(
    'is accepted by the provider once after a crash at "%s"',
    async (point) => {
      const { alert, received } = await offeredBy(kind);
      setCrashPoint(point, crash);
      await expect(turn()).rejects.toThrow('crash');
      clearCrashPoints();
      await turn();
      expect(await alert()).toMatchObject({ state: 'Sending', attempts: 1 });
      await later();
      await turn();
      expect(await alert()).toMatchObject({ state: 'Done', attempts: 2 });
      expect(received()).toEqual({ arrivals: point === 'alert.sent' ? 2 : 1, accepted: 1 });
    },
  );

  it.each([
    ['alert.leased', true],
    ['alert.begun', kind === 'Email'],
    ['alert.sent', kind === 'Email'],
  ] as const)(
    'to a provider without keys, after a crash at "%s", is sent again: %s',
    async (point, isSent) => {
      const { alert, received } = await offeredBy(kind);
      const send = instance(false);
      setCrashPoint(point, crash);
      await expect(send()).rejects.toThrow('crash');
      clearCrashPoints();
      const before = received().arrivals;
      await later();
      await send();
      await send();
      expect(await alert()).toMatchObject({ state: isSent ? 'Done' : 'Unknown' });
      expect(received().arrivals).toBe(before + (isSent ? 1 : 0));
    },
  );
});

describe('a leased alert', () => {
  it('has a full lease when it is sent, however long its preparation took', async () => {
    const { lead_id } = await offeredBy('Text');
    setCrashPoint('alert.leased', async () => {
      await service.rows(
        "update lead_alerts set lease_until = now() + interval '1 second' where state = 'Sending'",
      );
    });
    const left: unknown[] = [];
    setCrashPoint('alert.begun', async () => {
      const [row] = await service.rows(
        `select extract(epoch from lease_until - now())::int as seconds from lead_alerts a
         join lead_offers o on o.id = a.offer_id where o.lead_id = $1`,
        [lead_id],
      );
      left.push(row?.seconds);
    });
    await turn();
    expect(left).toEqual([expect.toSatisfy((seconds: number) => seconds > 45)]);
  });

  itIsOnlyTheLastOnesWhoTookIt({
    due: async () => {
      const { alert, received } = await offeredBy('Text');
      return { received, now: async () => pick(await alert()) };
    },
    turn,
    later,
    hold: (point) => holdAt(setCrashPoint, `alert.${point}`),
    sent: 'Done',
  });

  it('waits when another service does not respond', async () => {
    const { alert } = await offeredBy('Text');
    await service.contacts.rows('alter table opt_outs rename to opt_outs_unavailable');
    await turn();
    await service.contacts.rows('alter table opt_outs_unavailable rename to opt_outs');
    expect(await alert()).toMatchObject({ state: 'Waiting', reason: 'Another service did not respond.' });
    await later();
    await turn();
    expect(await alert()).toMatchObject({ state: 'Done' });
  });
});
