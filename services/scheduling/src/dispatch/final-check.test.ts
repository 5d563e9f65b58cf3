import { emailsAtOnce } from '@crm/delivery';
import { clearCrashPoints, setCrashPoint, setCrashPointOnce } from '@crm/dispatch';
import { optOutChanged } from '@crm/events';
import { letPass, someone } from '@crm/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { textsOf } from '../../test/texts.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, carrier, turn, later, due } = under;
const { optOuts } = service.contacts.asSystem;
const { post, settle } = textsOf(under);

afterEach(() => {
  carrier.behave(undefined);
  clearCrashPoints();
});

let replies = 0;
const reply = (number: string) =>
  service.asSystem.replies.take({ id: `SM${++replies}`, number, at: new Date().toISOString() });

describe('a text whose contact replies', () => {
  it.each(['planned', 'begun'])(
    'while it is being sent ("%s") is not sent by a later attempt, if replies stop it',
    async (point) => {
      const [one, other] = [
        await due('Text Contact', { is_stopped_on_text_reply: true }),
        await due('Text Contact'),
      ];
      carrier.behave(() => ({ answer: 429 }));
      setCrashPointOnce(`communication.${point}`, async () => {
        await reply(one.to.phone);
        await reply(other.to.phone);
      });
      await turn();
      carrier.behave(undefined);
      await later();
      await turn();
      expect(await one.now()).toMatchObject({
        dispatch_state: 'Dropped',
        dispatch_reason: 'The contact replied to a text.',
        is_active: false,
      });
      expect(one.received().accepted).toBe(0);
      expect(await other.now()).toMatchObject({ dispatch_state: 'Sent' });
    },
  );

  it('from another number of the contact is not sent either', async () => {
    const one = await due('Text Contact', { is_stopped_on_text_reply: true });
    await due('Text Contact', {
      contact_id: one.to.id,
      send_from_user_id: one.from.id,
      sent_to: '+16045550999',
      dispatch_state: 'Failed',
    });
    setCrashPointOnce('communication.begun', async () => {
      await reply('+16045550999');
    });
    carrier.behave(() => ({ answer: 429 }));
    await turn();
    carrier.behave(undefined);
    await later();
    await turn();
    expect(await one.now()).toMatchObject({ dispatch_state: 'Dropped' });
    expect(one.received().accepted).toBe(0);
  });

  it('is sent if it was reopened after the reply', async () => {
    const one = await due('Text Contact', {
      is_stopped_on_text_reply: true,
      send_at: "now() + interval '1 hour'",
    });
    await reply(one.to.phone);
    expect(await one.now()).toMatchObject({ dispatch_state: 'Dropped' });
    const user = { ...someone(), id: one.from.id };
    const { communications } = service.as(user);
    await communications.patch({
      contact_id: one.to.id,
      id: one.id,
      is_active: true,
    });
    await service.rows('update communications set send_at = now(), next_attempt_at = now() where id = $1', [
      one.id,
    ]);
    await turn();
    expect(await one.now()).toMatchObject({ dispatch_state: 'Sent' });
  });
});

describe('the facts about a message from other services', () => {
  it('are loaded again when a number has been opted out since', async () => {
    const one = await due('Text Contact');
    setCrashPointOnce('communication.planned', async () => {
      await optOuts.add({ number: one.to.phone, at: new Date().toISOString() });
      await service.deliver(optOutChanged, { opt_out_id: 1, contact_ids: [one.to.id] });
    });
    await turn();
    expect(await one.now()).toMatchObject({ dispatch_state: 'Scheduled' });
    await service.rows("update opt_out_changes set noted_at = now() - interval '1 minute'");
    await later();
    await turn();
    expect(await one.now()).toMatchObject({ dispatch_reason: 'The number of the contact has opted out.' });
    expect(one.received().arrivals).toBe(0);
  });

  it('are loaded again when a STOP has arrived and was settled since', async () => {
    const one = await due('Text Contact');
    setCrashPointOnce('communication.planned', async () => {
      await post(one.to.phone, 'STOP');
      await settle();
    });
    await turn();
    expect(await one.now()).toMatchObject({
      dispatch_state: 'Scheduled',
      dispatch_reason: 'Whether the contact may be sent messages has just changed.',
    });
    await later();
    await turn();
    expect(await one.now()).toMatchObject({ dispatch_reason: 'The number of the contact has opted out.' });
    expect(one.received().arrivals).toBe(0);
  });

  it('are loaded again when they are older than five seconds', async () => {
    const one = await due('Text Contact');
    setCrashPointOnce('communication.planned', async () => {
      await optOuts.add({ number: one.to.phone, at: new Date().toISOString() });
      letPass(5_100);
    });
    await turn();
    expect(await one.now()).toMatchObject({ dispatch_reason: 'The number of the contact has opted out.' });
    expect(one.received().arrivals).toBe(0);
  });
});

describe('a message', () => {
  it('is not sent by a worker whose lease has expired, even if nobody else has leased it', async () => {
    const one = await due('Text Contact');
    setCrashPoint('communication.planned', async () => void (await later()));
    await turn();
    expect(one.received().arrivals).toBe(0);
  });

  it('that cannot be sent immediately after its final check is checked again', async () => {
    const one = await due('Text Contact');
    setCrashPointOnce('communication.begun', () => letPass(2_100));
    await turn();
    expect(one.received().arrivals).toBe(0);
    await later();
    await turn();
    expect(await one.now()).toMatchObject({ dispatch_state: 'Sent', attempts: 2 });
  });
});

describe('e-mails that are due together', () => {
  /** One after the other: on a busy machine, so many at once would wait too long for a database connection. */
  async function dueEmails(count: number) {
    const all: Awaited<ReturnType<typeof due>>[] = [];
    while (all.length < count) all.push(await due('Email Contact'));
    return all;
  }

  it('are leased in large numbers only if the mail server is known to be fast', async () => {
    const instance = under.instance();
    const slots = () => instance.slots('Email Contact');
    expect(slots()).toBe(5 * emailsAtOnce);
    await dueEmails(60);
    await instance();
    expect(slots()).toBeGreaterThan(10 * emailsAtOnce);
    expect(instance.slots('Text Contact')).toBe(under.queue.slots['Text Contact']);
  });

  it('are checked only when the mail server can accept them', async () => {
    const all = await dueEmails(emailsAtOnce + 3);
    const taken = Promise.withResolvers<void>();
    let begun = 0;
    setCrashPoint('communication.begun', () => {
      begun += 1;
      return taken.promise;
    });
    const sending = turn();
    await expect.poll(() => begun).toBeGreaterThanOrEqual(emailsAtOnce);
    const checked = (await Promise.all(all.map(({ now }) => now()))).filter(
      ({ begun_at }) => begun_at !== null,
    );
    expect(checked).toHaveLength(emailsAtOnce);
    taken.resolve();
    await sending;
    const sent = await Promise.all(all.map(({ now }) => now()));
    expect(sent.map(({ dispatch_state, attempts }) => [dispatch_state, attempts])).toEqual(
      all.map(() => ['Sent', 1]),
    );
  });
});
