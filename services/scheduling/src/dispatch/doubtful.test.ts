import { clearCrashPoints, openDispatch, setCrashPoint } from '@crm/dispatch';
import { crash, sendDue, someone } from '@crm/testing';
import { afterAll, afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { losingCommits } from '../../test/lost-commit.ts';
import { rowProblems } from '../row-problems.ts';
import { moveLate } from './move-late.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
/** The provider honors keys, so messages that may have been sent are sent again. */
const { service, mail, carrier, later, turn, due, eventsOf, wait } = under;

afterEach(() => {
  mail.behave(undefined);
  carrier.behave(undefined);
  clearCrashPoints();
});

describe('a message that an earlier attempt may have sent, and that may no longer be sent', () => {
  const optOut = (number: string) =>
    service.contacts.asSystem.optOuts.add({ number, at: new Date().toISOString() });

  it.each([
    ['was accepted', 'break after accepting', 10, 'Sent', ['dispatched']],
    ['was not accepted', 'break before accepting', 200, 'Failed', ['failed']],
  ] as const)(
    'is unknown until the provider is asked, and %s',
    async (_what, behaviour, seconds, state, events) => {
      const { id, to, now, received } = await due('Text Contact');
      carrier.behave(() => behaviour);
      await turn();
      carrier.behave(undefined);
      await optOut(to.phone);
      await later();
      await turn();
      expect(await now()).toMatchObject({
        dispatch_state: 'Unknown',
        dispatch_reason: expect.stringMatching(/earlier attempt.*The number of the contact has opted out\./),
      });
      expect(await eventsOf(id)).toEqual([]);
      await wait(id, seconds);
      await turn.reconcile();
      expect(await now()).toMatchObject({ dispatch_state: state });
      expect([received().arrivals, await eventsOf(id)]).toEqual([1, events]);
    },
  );

  it('is kept when its campaign is stopped or its contact replies, until that is known', async () => {
    const [stopped, replied] = [
      await due('Text Contact'),
      await due('Text Contact', { is_stopped_on_text_reply: true }),
    ];
    carrier.behave(() => 'break after accepting');
    await turn();
    carrier.behave(undefined);
    const { campaign_contact_id } = await stopped.now();
    await service.asSystem.enrolments.stop({ campaign_contact_id: Number(campaign_contact_id) });
    await service.asSystem.replies.take({
      id: 'SM1',
      number: replied.to.phone,
      at: new Date().toISOString(),
    });
    await later();
    await turn();
    for (const { id, now } of [stopped, replied]) {
      expect(await now()).toMatchObject({ dispatch_state: 'Unknown' });
      await wait(id);
    }
    await turn.reconcile();
    for (const { now } of [stopped, replied]) expect(await now()).toMatchObject({ dispatch_state: 'Sent' });
  });

  it('is unknown when it is marked as done, until its outcome is known', async () => {
    const { id, from, now } = await due('Text Contact');
    carrier.behave(() => 'break after accepting');
    await turn();
    carrier.behave(undefined);
    const { contact_id } = await now();
    await service.as({ ...someone(), id: from.id }).communications.patch({
      id,
      contact_id: Number(contact_id),
      is_active: false,
    });
    await later();
    await turn();
    expect(await now()).toMatchObject({ dispatch_state: 'Unknown', is_active: false });
    const { completed_at } = await now();
    await wait(id);
    await turn.reconcile();
    expect(await now()).toMatchObject({ dispatch_state: 'Sent', is_active: false, completed_at });
  });

  it.each([
    ['Text Contact', 'Sent'],
    ['Email Contact', 'Unknown'],
  ] as const)(
    'is unknown when it has been missed for two weeks, and then as its provider says (%s)',
    async (type, state) => {
      const { id, now } = await due(type);
      const provider = type === 'Text Contact' ? carrier : mail;
      provider.behave(() => 'break after accepting');
      await turn();
      provider.behave(undefined);
      await service.rows(
        `update communications set send_at = send_at - interval '15 days', doubtful_since = now() - interval '1 minute'
       where id = $1`,
        [id],
      );
      await moveLate(under.workerContext);
      expect(await now()).toMatchObject({ dispatch_state: 'Unknown' });
      expect(await eventsOf(id)).toEqual([]);
      await turn.reconcile();
      expect(await now()).toMatchObject({ dispatch_state: state });
    },
  );

  it('is unknown forever if it is an e-mail, about which nobody can be asked', async () => {
    const { id, from, now } = await due('Email Contact');
    mail.behave(() => 'break after accepting');
    await turn();
    mail.behave(undefined);
    await service.identity.asSystem.users.disable({ user: from.id });
    await later();
    await turn();
    await turn.reconcile();
    expect(await now()).toMatchObject({ dispatch_state: 'Unknown' });
    expect(await eventsOf(id)).toEqual([]);
  });

  it('is unknown forever if it is an e-mail with three lost responses', async () => {
    const { id, now, received } = await due('Email Contact');
    mail.behave(() => 'break after accepting');
    for (let attempt = 1; attempt <= 5; attempt++) {
      await turn();
      await later();
    }
    expect(await now()).toMatchObject({
      dispatch_state: 'Unknown',
      dispatch_reason: expect.stringMatching(/^It is not known whether .+ not be sent again\./),
      is_active: true,
    });
    expect(received().arrivals).toBe(3);
    await wait(id, 90_000);
    await turn.reconcile();
    expect(await now()).toMatchObject({ dispatch_state: 'Unknown' });
    expect(await eventsOf(id)).toEqual([]);
    const isShown = async () =>
      (await rowProblems(service.database.query)).some(({ reason }) =>
        reason?.includes('responses were lost'),
      );
    expect(await isShown()).toBe(true);
    await wait(id, 7 * 86_400);
    expect(await isShown()).toBe(false);
  });

  it('is not repeated more often because its worker is killed each time', async () => {
    const { now, received } = await due('Email Contact');
    setCrashPoint('communication.sent', crash);
    for (let attempt = 1; attempt <= 5; attempt++) {
      await turn().catch(() => undefined);
      await later();
    }
    clearCrashPoints();
    await turn();
    expect(await now()).toMatchObject({ dispatch_state: 'Unknown' });
    expect(received().arrivals).toBe(3);
  });

  it('is not repeated more often because its outcome cannot be stored', async () => {
    const { id, now, received } = await due('Email Contact');
    await service.rows(`create function planted() returns trigger language plpgsql as $$ begin
      if new.id = ${id} and old.begun_at is not null and new.dispatch_state <> 'Sending'
        and coalesce(new.dispatch_reason, '') not like 'It cannot be worked on%'
      then raise exception 'a planted fault'; end if; return new; end $$`);
    await service.rows(
      'create trigger planted before update on communications for each row execute function planted()',
    );
    onTestFinished(async () => void (await service.rows('drop function planted cascade')));
    for (let attempt = 1; attempt <= 6; attempt++) {
      await turn().catch(() => undefined);
      await later();
    }
    expect(await now()).toMatchObject({ dispatch_state: 'Unknown' });
    expect(received().arrivals).toBe(3);
  });

  it.each([
    ['Email Contact', 'Unknown'],
    ['Text Contact', 'Sent'],
  ] as const)(
    'is also unknown if storing that is not confirmed: a %s is %s in the end',
    async (type, state) => {
      const { id, from, now } = await due(type);
      mail.behave(() => 'break after accepting');
      carrier.behave(() => 'break after accepting');
      await turn();
      mail.behave(undefined);
      carrier.behave(undefined);
      await service.identity.asSystem.users.disable({ user: from.id });
      await later();

      const { context, loseNext } = losingCommits(under.workerContext);
      const dispatch = openDispatch(under.queue, under.settings.delivery, context);
      let stored = 0;
      setCrashPoint('communication.settled', () => {
        stored += 1;
        if (stored === 1) loseNext();
      });
      await sendDue(dispatch, under.plenty);
      expect(stored).toBe(2);
      expect(await now()).toMatchObject({ dispatch_state: 'Unknown' });

      await wait(id);
      await turn.reconcile();
      expect(await now()).toMatchObject({ dispatch_state: state });
    },
  );
});
