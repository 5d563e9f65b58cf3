import { afterAll, describe, expect, it } from 'vitest';
import { callbacksOf, message, sid, silence } from '../../test/callbacks.ts';
import { dispatchUnderTest, publicUrl } from '../../test/dispatch.ts';
import { askWeb } from '../../test/web.ts';
import { claimToken } from './claim-token.ts';
import { forwardWaitingTexts } from './forward-texts.ts';
import { forgetOldTexts } from './inbound-text.queries.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, carrier, turn, offer, alerts, reachable, settings } = under;
const { number } = settings.delivery.carrier;
const { text, press } = callbacksOf(under);
const { optOuts } = service.contacts.asSystem;

const lead = async (id: number) => (await service.rows('select * from leads where id = $1', [id]))[0];

async function texted(first_name: string) {
  const { user, phone } = await reachable({ first_name });
  const { lead_id } = await offer([[user, { has_text_alert: true }]]);
  await turn();
  return { user, phone, lead_id };
}

/** Another lead that the same person is texted about. */
async function another(user: Awaited<ReturnType<typeof texted>>['user']) {
  const { lead_id } = await offer([[user, { has_text_alert: true }]]);
  await turn();
  return lead_id;
}

describe('a reply to the text of an alert', () => {
  it.each(['yes', '1', 'Claim'])('"%s" claims the only open lead', async (words) => {
    const { user, phone, lead_id } = await texted('Ben');
    const { status, headers, body } = await text(phone, words);
    expect([status, headers['content-type']]).toEqual([200, 'text/xml; charset=utf-8']);
    expect(body).toBe(message(`Lead ${lead_id} is yours.`));
    expect(await lead(lead_id)).toMatchObject({ claimed_by_user_id: user.id, claimed_via: 'Text' });
  });

  it('must name the lead when several are open, and claims that one', async () => {
    const { user, phone, lead_id } = await texted('Ben');
    const second = await another(user);
    const { body } = await text(phone, 'yes');
    expect(body).toBe(
      message(
        `You have been offered several leads: ${second}, ${lead_id}. Reply with the number of one, such as CLAIM ${second}.`,
      ),
    );
    expect(await lead(lead_id)).toMatchObject({ claimed_by_user_id: null });
    await text(phone, `claim ${lead_id}`);
    expect(await lead(lead_id)).toMatchObject({ claimed_by_user_id: user.id });
    expect(await lead(second)).toMatchObject({ claimed_by_user_id: null });
  });

  it('that comes too late is told who claimed the lead', async () => {
    const [ben, cleo] = [await reachable({ first_name: 'Ben' }), await reachable({ first_name: 'Cleo' })];
    const { lead_id } = await offer([
      [ben.user, { has_text_alert: true }],
      [cleo.user, { has_text_alert: true }],
    ]);
    await turn();
    await text(ben.phone, 'yes');
    expect((await text(cleo.phone, 'yes')).body).toBe(message(`Lead ${lead_id} was claimed by Ben.`));
    expect(await lead(lead_id)).toMatchObject({ claimed_by_user_id: ben.user.id });
  });

  it('from a number that was not texted about the lead claims nothing', async () => {
    const { lead_id } = await texted('Ben');
    const { phone } = await texted('Cleo');
    expect((await text(phone, `claim ${lead_id}`)).body).toBe(
      message('There is no lead to claim from this phone number.'),
    );
    expect((await text('+16045559999', 'yes')).body).toBe(silence);
    expect(await lead(lead_id)).toMatchObject({ claimed_by_user_id: null });
  });

  it('from a disabled account claims nothing', async () => {
    const { user, phone, lead_id } = await texted('Ben');
    await service.identity.asSystem.users.disable({ user: user.id });
    await text(phone, 'yes');
    expect(await lead(lead_id)).toMatchObject({ claimed_by_user_id: null });
  });

  it('means the same lead when the provider repeats it, even if another was offered since', async () => {
    const { user, phone, lead_id } = await texted('Ben');
    const id = sid();
    await text(phone, 'yes', id);
    const second = await another(user);
    expect((await text(phone, 'yes', id)).body).toBe(message(`Lead ${lead_id} is yours.`));
    expect(await lead(second)).toMatchObject({ claimed_by_user_id: null });
  });

  it('that says something else is stored, and not replied to', async () => {
    const { phone, lead_id } = await texted('Ben');
    const id = sid();
    expect(await text(phone, 'Who is this?\u0000', id)).toMatchObject({ status: 200, body: silence });
    expect(await lead(lead_id)).toMatchObject({ claimed_by_user_id: null });
    expect(
      await service.rows('select from_number, body, meaning from inbound_texts where id = $1', [id]),
    ).toEqual([{ from_number: phone, body: 'Who is this?', meaning: 'other' }]);
  });
});

describe('STOP or START', () => {
  it('opts a number out of texts, or in again', async () => {
    const { phone } = await reachable();
    expect(await text(phone, 'STOP')).toMatchObject({ status: 200, body: silence });
    expect(await optOuts.among({ numbers: [phone] })).toEqual([phone]);
    await text(phone, 'start');
    expect(await optOuts.among({ numbers: [phone] })).toEqual([]);
  });

  it('repeated by the provider does not undo a later one', async () => {
    const { phone } = await reachable();
    const id = sid();
    await text(phone, 'stop', id);
    await text(phone, 'start');
    await text(phone, 'stop', id);
    expect(await optOuts.among({ numbers: [phone] })).toEqual([]);
  });

  it('is not lost while contacts does not respond', async () => {
    const { phone } = await reachable();
    const id = sid();
    await service.contacts.rows('alter table opt_outs rename to opt_outs_unavailable');
    expect((await text(phone, 'stop', id)).status).toBe(200);
    await service.contacts.rows('alter table opt_outs_unavailable rename to opt_outs');
    const [waiting] = await service.rows('select passed_on_at from inbound_texts where id = $1', [id]);
    expect(waiting).toEqual({ passed_on_at: null });
  });
});

describe('texts that came in', () => {
  const arrive = (id: string, facts: { meaning: string; age: string; is_passed_on?: boolean }) =>
    service.rows(
      `insert into inbound_texts (id, from_number, body, meaning, received_at, passed_on_at)
       values ($1, '+16045580001', 'Hello', $2, now() - $3::interval, case when $4::boolean then now() end)`,
      [id, facts.meaning, facts.age, facts.is_passed_on ?? false],
    );

  it('that cannot be passed on, however many, do not hold up a wish for no more texts', async () => {
    for (let n = 0; n < 101; n++) await arrive(sid(), { meaning: 'other', age: '1 hour' });
    const stop = sid();
    await arrive(stop, { meaning: 'stop', age: '1 minute' });
    await service.scheduling.rows('alter table replies rename to replies_away');
    await forwardWaitingTexts(service.database.query, under.workerContext);
    await service.scheduling.rows('alter table replies_away rename to replies');
    expect(await optOuts.among({ numbers: ['+16045580001'] })).toEqual(['+16045580001']);
    await service.rows(`delete from inbound_texts where from_number = '+16045580001'`);
  });

  it('are forgotten after 90 days, but not before they were passed on', async () => {
    const [young, old, waiting, claim] = [sid(), sid(), sid(), sid()];
    await arrive(young, { meaning: 'stop', age: '89 days', is_passed_on: true });
    await arrive(old, { meaning: 'stop', age: '91 days', is_passed_on: true });
    await arrive(waiting, { meaning: 'stop', age: '91 days' });
    await arrive(claim, { meaning: 'claim', age: '91 days' });
    await forgetOldTexts(service.database.query);
    const kept = await service.rows(`select id from inbound_texts where from_number = '+16045580001'`);
    expect(new Set(kept.map(({ id }) => id))).toEqual(new Set([young, waiting]));
    await service.rows(`delete from inbound_texts where from_number = '+16045580001'`);
  });
});

describe('a reply of a contact', () => {
  const { scheduling } = service;
  let numbers = 0;

  /** A text that a campaign sends to a contact tomorrow, unless the contact has replied by then. */
  async function scheduledText(contact_id: number) {
    const [row] = await scheduling.rows(
      `insert into communications (campaign_contact_id, campaign_id, campaign_action_id, contact_id, campaign_name,
         type, is_stopped_on_text_reply, send_from_user_id, send_at, timezone, next_attempt_at, created_at, modified_at)
       values ($1, 1, 1, $1, 'Welcome', 'Text Contact', true, 1, now() + interval '1 day', 'UTC', now() + interval '1 day',
         now(), now()) returning id`,
      [contact_id],
    );
    return async () => {
      const [now] = await scheduling.rows('select dispatch_state from communications where id = $1', [
        row?.id,
      ]);
      return now?.dispatch_state;
    };
  }

  async function contactAt(mobile_phone: string) {
    const { id } = await service.contacts.as(await service.person()).contacts.create({ mobile_phone });
    return id;
  }

  const forwarded = async (id: string) => {
    const [row] = await service.rows('select meaning, passed_on_at from inbound_texts where id = $1', [id]);
    return [row?.meaning, row?.passed_on_at !== null];
  };

  it.each(['Who is this?', 'yes', '1', 'claim 12', 'STOP'])(
    '"%s" stops the texts of a campaign',
    async (words) => {
      numbers += 1;
      const number = `+1604556${1000 + numbers}`;
      const state = await scheduledText(await contactAt(number));
      const id = sid();
      expect(await text(number, words, id)).toMatchObject({ status: 200, body: silence });
      expect(await state()).toBe('Dropped');
      expect(await forwarded(id)).toEqual([words === 'STOP' ? 'stop' : 'other', true]);
    },
  );

  it('"START" stops nothing', async () => {
    const number = '+16045570001';
    const state = await scheduledText(await contactAt(number));
    await text(number, 'start');
    expect(await state()).toBe('Scheduled');
  });

  it('is forwarded later if scheduling does not respond, which does not delay opt-outs', async () => {
    const number = '+16045570002';
    const state = await scheduledText(await contactAt(number));
    const [id, stop] = [sid(), sid()];
    await scheduling.rows('alter table replies rename to replies_unavailable');
    expect((await text(number, 'Hello?', id)).status).toBe(200);
    expect((await text(number, 'STOP', stop)).status).toBe(200);
    expect(await optOuts.among({ numbers: [number] })).toEqual([number]);
    await scheduling.rows('alter table replies_unavailable rename to replies');
    expect([await state(), await forwarded(id), await forwarded(stop)]).toEqual([
      'Scheduled',
      ['other', false],
      ['stop', false],
    ]);
    await forwardWaitingTexts(service.database.query, under.workerContext);
    expect([await state(), await forwarded(id), await forwarded(stop)]).toEqual([
      'Dropped',
      ['other', true],
      ['stop', true],
    ]);
  });
});

describe('a key pressed in the call of an alert', () => {
  const called = async () => {
    const { user, phone } = await reachable({ first_name: 'Ben' });
    const { lead_id } = await offer([[user, { has_call_alert: true }]]);
    await turn();
    const [alert] = await alerts(lead_id);
    const url = carrier.calls().find(({ key }) => key === alert?.key)?.key_press_url ?? '';
    return { user, phone, lead_id, url };
  };

  it('claims the lead if it is 1, even if the provider repeats the callback', async () => {
    const { user, phone, lead_id, url } = await called();
    for (let times = 0; times < 2; times++) {
      const { status, body } = await press(url, '1', phone);
      expect(status).toBe(200);
      expect(body).toContain(`<Say>Lead ${lead_id} is yours.</Say>`);
    }
    expect(await lead(lead_id)).toMatchObject({ claimed_by_user_id: user.id, claimed_via: 'Phone' });
  });

  it('claims nothing if it is another key, or if the link was not made for a call', async () => {
    const { user, phone, lead_id, url } = await called();
    expect((await press(url, '2', phone)).body).toContain('<Say>No lead was claimed. Goodbye.</Say>');
    const grant = { lead_id, user_id: user.id, via: 'Email' } as const;
    const emailed = `${publicUrl}/callbacks/key-presses/${claimToken(settings.claimKey, grant, Date.now() / 1000)}`;
    expect((await press(emailed, '1', phone)).body).toContain('No lead was claimed');
    expect(await lead(lead_id)).toMatchObject({ claimed_by_user_id: null });
  });

  it('is refused without the signature of the provider', async () => {
    const { phone, lead_id, url } = await called();
    expect(await press(url, '1', phone, { secret: 'not-the-secret' })).toMatchObject({ status: 403 });
    expect(await lead(lead_id)).toMatchObject({ claimed_by_user_id: null });
  });
});

describe('a callback without the signature of the provider', () => {
  it('is refused and changes nothing', async () => {
    const { phone, lead_id } = await texted('Ben');
    const forged = await text(phone, 'yes', sid(), { secret: 'not-the-secret' });
    const unsigned = await askWeb(service.call, 'callbacks.text', {
      body: new URLSearchParams({ MessageSid: sid(), From: phone, To: number, Body: 'STOP' }).toString(),
    });
    const elsewhere = await text(phone, 'yes', sid(), { path: '/callbacks/other' });
    expect([forged.status, unsigned.status, elsewhere.status]).toEqual([403, 403, 403]);
    expect(await lead(lead_id)).toMatchObject({ claimed_by_user_id: null });
    expect(await optOuts.among({ numbers: [phone] })).toEqual([]);
    expect(await service.rows('select from inbound_texts where from_number = $1', [phone])).toEqual([]);
  });

  it('is verified with the query of its URL', async () => {
    const { phone } = await reachable();
    expect((await text(phone, 'hello', sid(), { query: 'a=1' })).status).toBe(200);
  });
});
