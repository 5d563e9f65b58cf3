import { clearCrashPoints } from '@crm/dispatch';
import { contactRemoved } from '@crm/events';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { holdingFinalChecks } from '../../test/hold-final-checks.ts';

/** Eleven in the morning of tomorrow in London: six or seven in New York. */
const early = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000 + 11 * 3_600_000);
const quiet = await dispatchUnderTest({ quietHours: true }, () => early);
const under = await dispatchUnderTest({
  maxPerContact: { texts: 2, emails: 2 },
  maxPerAccount: { texts: 3, emails: 3 },
});
afterAll(async () => {
  await quiet.close();
  await under.close();
});
afterEach(clearCrashPoints);
const { service, communication, row, sender, contact, later } = under;
// A server may have this setting for another application. Earlier connections would not have it.
beforeAll(async () => {
  await service.rows(
    `do $$ begin
    execute format('alter role current_user in database %I set default_transaction_isolation to "repeatable read"', current_database());
  end $$`,
    [],
  );
  await service.rows(
    `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`,
    [],
  );
});
const holdFinalChecks = holdingFinalChecks(under);
const six = { 'Email Contact': 6, 'Text Contact': 6, 'Call Contact': 6 };
const [one, two] = [under.instance(true, six), under.instance(true, six)];

/** Both instances try repeatedly until nothing is due. */
async function sendAll() {
  for (let round = 0; round < 6; round += 1) {
    await Promise.all([one(), two()]);
    await later();
  }
}

async function outcomes(ids: readonly number[]) {
  const rows = await Promise.all(ids.map(row));
  const accepted = rows.map(({ key }) => under.received(key).accepted);
  return { rows, sent: rows.filter((_, index) => accepted[index]).length, accepted };
}

const several = <Value>(count: number, make: (index: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

describe('a text at night', () => {
  it.each(['Text Contact', 'Call Contact'] as const)(
    '(%s) is moved to the morning, with the reason',
    async (type) => {
      const to = await quiet.contact({ mobile_phone: '+12125550123' });
      const text = await quiet.due(type, { contact_id: to.id });
      await quiet.turn();
      const moved = await text.now();
      expect(moved).toMatchObject({
        dispatch_state: 'Scheduled',
        next_attempt_at: moved.send_at,
        first_send_at: null,
      });
      const local = new Date(String(moved.send_at)).toLocaleString('en-US', { timeZone: 'America/New_York' });
      expect(local).toMatch(/ 8:00:00 AM$/);
      expect(moved.dispatch_reason).toMatch(
        /^It waits until 20\d\d-\d\d-\d\dT1[23]:00:00Z, because it is too early or too late for the contact \(America\/New_York, NY\)\.$/,
      );
      expect(await quiet.eventsOf(text.id)).toEqual(['moved']);
      expect(text.received().arrivals).toBe(0);
    },
  );

  it('follows the address of the contact if the number does not determine the zone', async () => {
    const addresses = [{ type: 'Home', state: 'Hawaii' }] as const;
    const to = await quiet.contact({ mobile_phone: '+18005550123', addresses });
    const text = await quiet.due('Text Contact', { contact_id: to.id });
    await quiet.turn();
    expect((await text.now()).dispatch_reason).toContain('(Pacific/Honolulu, HI)');
  });

  it('follows the time zone of the contact before anything else', async () => {
    const to = await quiet.contact({ mobile_phone: '+18005550123', timezone: 'America/Los_Angeles' });
    const text = await quiet.due('Text Contact', { contact_id: to.id });
    await quiet.turn();
    expect((await text.now()).dispatch_reason).toContain('(America/Los_Angeles)');
  });

  it('does not delay an e-mail', async () => {
    const email = await quiet.due('Email Contact');
    await quiet.turn();
    expect(await email.now()).toMatchObject({ dispatch_state: 'Sent' });
  });
});

describe('the daily limits', () => {
  it.each(['Text Contact', 'Email Contact'] as const)(
    'apply to a contact (%s), even if several senders and workers race',
    async (type) => {
      const to = await contact();
      const senders = [await sender(), await sender()];
      const ids = await several(12, (index) =>
        communication({
          type,
          contact_id: to.id,
          send_from_user_id: senders[index % 2]?.id,
          body: `Hello ${index}`,
        }),
      );
      await service.contacts.rows('update contacts set shared_user_ids = $1 where id = $2', [
        senders.map(({ id }) => id),
        to.id,
      ]);
      holdFinalChecks(ids);
      await sendAll();
      const { rows, sent } = await outcomes(ids);
      expect(sent).toBe(2);
      const waiting = rows.filter(({ dispatch_state }) => dispatch_state === 'Scheduled');
      expect(waiting).toHaveLength(10);
      for (const { dispatch_reason, send_at } of waiting) {
        expect(dispatch_reason).toMatch(
          /^It waits until .+, because the contact was sent 2 (texts|e-mails) within 24 hours\.$/,
        );
        expect(Date.parse(String(send_at))).toBeGreaterThan(Date.now() + 23 * 3_600_000);
      }
    },
  );

  it('apply to an account, however many contacts it has', async () => {
    const from = await sender();
    const ids = await several(8, async () =>
      communication({ type: 'Text Contact', contact_id: (await contact()).id, send_from_user_id: from.id }),
    );
    await sendAll();
    const { rows, sent } = await outcomes(ids);
    expect(sent).toBe(3);
    const reasons = new Set(
      rows.map(({ dispatch_reason }) => String(dispatch_reason).replace(/until \S+ /, '')),
    );
    expect(reasons).toContain('It waits because the account has sent 3 texts within 24 hours.');
  });

  it('apply to an account whose texts are sent one by one, without counting all of them each time', async () => {
    const from = await sender();
    const each = under.instance(true, { ...six, 'Text Contact': 1 });
    const ids = await several(5, async () =>
      communication({ type: 'Text Contact', contact_id: (await contact()).id, send_from_user_id: from.id }),
    );
    await each();
    const rooms = () =>
      service.rows('select room from account_rooms where send_from_user_id = $1', [from.id]);
    expect(await rooms()).toEqual([{ room: 2 }]);
    for (let round = 0; round < 6; round += 1) await each();
    expect((await outcomes(ids)).sent).toBe(3);
    expect(await rooms()).toEqual([{ room: 0 }]);
  });

  it('are not lifted by removing contacts', async () => {
    const [from, to] = [await sender(), await contact()];
    const add = (contact_id: number) =>
      communication({ type: 'Email Contact', contact_id, send_from_user_id: from.id });
    await several(2, () => add(to.id));
    await one();
    await service.deliver(contactRemoved, {
      contact_id: to.id,
      owner_user_id: from.id,
      assigned_user_id: null,
    });
    expect(await service.rows('select from communications where contact_id = $1', [to.id])).toEqual([]);
    const ids = await several(3, async () => add((await contact()).id));
    await sendAll();
    expect((await outcomes(ids)).sent).toBe(1);
  });

  it('allow messages again after a day', async () => {
    const [from, to] = [await sender(), await contact()];
    const add = (body: string) =>
      communication({ type: 'Text Contact', contact_id: to.id, send_from_user_id: from.id, body });
    const ids = [await add('one'), await add('two'), await add('three')];
    await sendAll();
    expect((await outcomes(ids)).sent).toBe(2);
    await service.rows(
      "update communications set begun_at = begun_at - interval '24 hours' where contact_id = $1 and begun_at is not null",
      [to.id],
    );
    await service.rows(
      'update communications set send_at = now(), next_attempt_at = now() where contact_id = $1',
      [to.id],
    );
    await sendAll();
    expect((await outcomes(ids)).sent).toBe(3);
  });
});

describe('the same text', () => {
  it('goes to a number once from a campaign, even if it belongs to two contacts and workers race', async () => {
    const from = await sender();
    const phone = under.number();
    const ids = await several(3, async (index) => {
      const to = await contact({ mobile_phone: phone });
      return communication({
        type: 'Text Contact',
        contact_id: to.id,
        send_from_user_id: from.id,
        campaign_id: index === 2 ? 77 : 76,
        body: 'Open house today',
      });
    });
    await sendAll();
    const { rows, sent } = await outcomes(ids);
    expect(sent).toBe(2);
    expect(rows[2]).toMatchObject({ dispatch_state: 'Sent' });
    expect(rows.map(({ dispatch_reason }) => dispatch_reason)).toContain(
      'The campaign has sent the same text to the same number within 24 hours.',
    );
  });

  it('goes to a number once from a campaign, even if two senders are checked at the same moment', async () => {
    const mobile_phone = under.number();
    const ids = await several(2, async () => {
      const [from, to] = [await sender(), await contact({ mobile_phone })];
      return communication({
        type: 'Text Contact',
        contact_id: to.id,
        send_from_user_id: from.id,
        campaign_id: 78,
        body: 'Open house today',
      });
    });
    const single = { 'Email Contact': 1, 'Text Contact': 1, 'Call Contact': 1 };
    holdFinalChecks(ids);
    const sending = under.instance(true, single)();
    await expect
      .poll(async () => (await outcomes(ids)).rows.filter((one) => one.dispatch_state === 'Sending').length)
      .toBe(1);
    await Promise.all([sending, two()]);
    await sendAll();
    expect((await outcomes(ids)).sent).toBe(1);
  });
});

describe('a number of a country that is not allowed', () => {
  it('is not texted, and the reason names the country', async () => {
    const to = await contact({ mobile_phone: '+1 876 555 0123' });
    const text = await under.due('Text Contact', { contact_id: to.id });
    await one();
    expect(await text.now()).toMatchObject({
      dispatch_state: 'Failed',
      dispatch_reason: expect.stringContaining('Numbers of Jamaica (JM) are not allowed'),
    });
  });
});
