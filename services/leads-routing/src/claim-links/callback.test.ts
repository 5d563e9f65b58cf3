import { afterAll, describe, expect, it } from 'vitest';
import { callbacksOf, sid } from '../../test/callbacks.ts';
import { dispatchUnderTest, publicUrl } from '../../test/dispatch.ts';
import { claimToken } from './claim-token.ts';
import { decideTexts } from './decide-texts.ts';
import { forwardWaitingTexts } from './forward-texts.ts';
import { forgetOldTexts } from './inbound-text.queries.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, carrier, turn, offer, alerts, reachable, settings } = under;
const { text, press } = callbacksOf(under);

const lead = async (id: number) => (await service.rows('select * from leads where id = $1', [id]))[0];

async function texted(first_name: string) {
  const { user, phone } = await reachable({ first_name });
  const { lead_id } = await offer([[user, { has_text_alert: true }]]);
  await turn();
  return { user, phone, lead_id };
}

/** Another lead about which the same user is texted. */
async function another(user: Awaited<ReturnType<typeof texted>>['user']) {
  const { lead_id } = await offer([[user, { has_text_alert: true }]]);
  await turn();
  return lead_id;
}

/** Stores a text that came in at a given time and is still undecided. */
const undecided = (phone: string, receivedAt: string) =>
  service.scheduling.rows(
    `insert into inbound_texts (id, from_number, body, meaning, is_answered, received_at)
     values ($1, $2, 'yes', 'other', false, ${receivedAt})`,
    [sid(), phone],
  );

describe('a reply to the text of an alert', () => {
  it.each(['yes', '1', 'Claim'])('"%s" claims the only open lead', async (words) => {
    const { user, phone, lead_id } = await texted('Ben');
    expect(await text(phone, words)).toBe(`Lead ${lead_id} is yours.`);
    expect(await lead(lead_id)).toMatchObject({ claimed_by_user_id: user.id, claimed_via: 'Text' });
  });

  it('must name the lead if several are open, and claims that one', async () => {
    const { user, phone, lead_id } = await texted('Ben');
    const second = await another(user);
    expect(await text(phone, 'yes')).toBe(
      `You have been offered several leads: ${second}, ${lead_id}. Reply with the number of one, such as CLAIM ${second}.`,
    );
    expect(await lead(lead_id)).toMatchObject({ claimed_by_user_id: null });
    await text(phone, `claim ${lead_id}`);
    expect(await lead(lead_id)).toMatchObject({ claimed_by_user_id: user.id });
    expect(await lead(second)).toMatchObject({ claimed_by_user_id: null });
  });

  it('that comes too late is answered with the name of the user who claimed the lead', async () => {
    const [ben, cleo] = [await reachable({ first_name: 'Ben' }), await reachable({ first_name: 'Cleo' })];
    const { lead_id } = await offer([
      [ben.user, { has_text_alert: true }],
      [cleo.user, { has_text_alert: true }],
    ]);
    await turn();
    await text(ben.phone, 'yes');
    expect(await text(cleo.phone, 'yes')).toBe(`Lead ${lead_id} was claimed by Ben.`);
    expect(await lead(lead_id)).toMatchObject({ claimed_by_user_id: ben.user.id });
  });

  it('from a number that was not texted about the lead claims nothing', async () => {
    const { lead_id } = await texted('Ben');
    const { phone } = await texted('Cleo');
    expect(await text(phone, `claim ${lead_id}`)).toBe('There is no lead to claim from this phone number.');
    expect(await text('+16045559999', 'yes')).toBeUndefined();
    expect(await lead(lead_id)).toMatchObject({ claimed_by_user_id: null });
  });

  it('claims nothing if the number was texted about the lead more than two weeks before', async () => {
    const { phone, lead_id } = await texted('Ben');
    await service.rows("update lead_alerts set begun_at = begun_at - interval '15 days' where sent_to = $1", [
      phone,
    ]);
    expect(await text(phone, 'yes')).toBe('There is no lead to claim from this phone number.');
    expect(await lead(lead_id)).toMatchObject({ claimed_by_user_id: null });
  });

  it('from a disabled account claims nothing', async () => {
    const { user, phone, lead_id } = await texted('Ben');
    await service.identity.asSystem.users.disable({ user: user.id });
    await text(phone, 'yes');
    expect(await lead(lead_id)).toMatchObject({ claimed_by_user_id: null });
  });

  it('refers to the same lead when the provider repeats it, even if another lead was offered since', async () => {
    const { user, phone, lead_id } = await texted('Ben');
    const id = sid();
    await text(phone, 'yes', id);
    const second = await another(user);
    // Simulates that scheduling has not received the decision.
    await service.scheduling.rows(
      'update inbound_texts set is_claim = null, settled_at = null where id = $1',
      [id],
    );
    expect(await text(phone, 'yes', id)).toBe(`Lead ${lead_id} is yours.`);
    expect(await lead(second)).toMatchObject({ claimed_by_user_id: null });
  });

  it('that says something else claims nothing and is handled as a text of a contact', async () => {
    const { phone, lead_id } = await texted('Ben');
    const [said, asked] = [sid(), sid()];
    expect(await text(phone, 'Who is this?', said)).toBeUndefined();
    expect(await text('+16045559998', 'claim 12', asked)).toBeUndefined();
    expect(await lead(lead_id)).toMatchObject({ claimed_by_user_id: null });
    const decided = await service.scheduling.rows(
      'select is_claim, settled_at from inbound_texts where id = any($1)',
      [[said, asked]],
    );
    expect(decided).toEqual([said, asked].map(() => ({ is_claim: false, settled_at: null })));
  });

  it('during an outage of this service claims the lead afterwards, in the order of the texts', async () => {
    const [ben, cleo] = [await reachable({ first_name: 'Ben' }), await reachable({ first_name: 'Cleo' })];
    const { lead_id } = await offer([
      [ben.user, { has_text_alert: true }],
      [cleo.user, { has_text_alert: true }],
    ]);
    await turn();
    for (const { phone } of [cleo, ben]) await undecided(phone, 'clock_timestamp()');
    await Promise.all([decideTexts(under.workerContext), decideTexts(under.workerContext)]);
    expect(await lead(lead_id)).toMatchObject({ claimed_by_user_id: cleo.user.id, claimed_via: 'Text' });
    expect(
      await service.scheduling.rows('select words from text_notices where words like $1 order by words', [
        `Lead ${lead_id} %`,
      ]),
    ).toEqual([{ words: `Lead ${lead_id} is yours.` }, { words: `Lead ${lead_id} was claimed by Cleo.` }]);
  });
});

describe('a text that is decided about late', () => {
  it('does not claim a lead that its sender was texted about afterwards', async () => {
    const [ben, cleo] = [await reachable({ first_name: 'Ben' }), await reachable({ first_name: 'Cleo' })];
    const first = await offer([
      [ben.user, { has_text_alert: true }],
      [cleo.user, { has_text_alert: true }],
    ]);
    await turn();
    for (const { phone } of [cleo, ben]) await undecided(phone, "clock_timestamp() - interval '1 hour'");
    await service.rows(
      `update lead_alerts set begun_at = begun_at - interval '2 hours'
       where offer_id in (select id from lead_offers where lead_id = $1)`,
      [first.lead_id],
    );
    const second = await offer([[ben.user, { has_text_alert: true }]]);
    await turn();
    await decideTexts(under.workerContext);
    expect(await lead(first.lead_id)).toMatchObject({ claimed_by_user_id: cleo.user.id });
    expect(await lead(second.lead_id)).toMatchObject({ claimed_by_user_id: null });
    expect(
      await service.scheduling.rows('select from text_notices where words = $1', [
        `Lead ${first.lead_id} was claimed by Cleo.`,
      ]),
    ).toHaveLength(1);
  });
});

describe('a reply to an alert that was sent again since', () => {
  it('claims the lead', async () => {
    const ben = await reachable({ first_name: 'Ben' });
    const { lead_id } = await offer([[ben.user, { has_text_alert: true }]]);
    await turn();
    // The first attempt got no response, and the second was made after the text came in.
    await service.rows(
      `update lead_alerts set attempts = 2, due_at = due_at - interval '2 minutes'
       where offer_id in (select id from lead_offers where lead_id = $1)`,
      [lead_id],
    );
    await undecided(ben.phone, "now() - interval '1 minute'");
    await decideTexts(under.workerContext);
    expect(await lead(lead_id)).toMatchObject({ claimed_by_user_id: ben.user.id });
  });
});

describe('texts that an instance of the previous release has received', () => {
  const arrive = (id: string, facts: { meaning: string; age: string; is_passed_on?: boolean }) =>
    service.rows(
      `insert into inbound_texts (id, from_number, body, meaning, received_at, passed_on_at)
       values ($1, '+16045580001', 'Hello', $2, now() - $3::interval, case when $4::boolean then now() end)`,
      [id, facts.meaning, facts.age, facts.is_passed_on ?? false],
    );

  it('are forwarded once scheduling is available', async () => {
    const id = sid();
    await arrive(id, { meaning: 'other', age: '1 hour' });
    await service.scheduling.rows('alter table inbound_texts rename to inbound_texts_away');
    await forwardWaitingTexts(under.workerContext);
    await service.scheduling.rows('alter table inbound_texts_away rename to inbound_texts');
    const forwarded = () =>
      service.scheduling.rows('select body, is_claim from inbound_texts where id = $1', [id]);
    expect(await forwarded()).toEqual([]);
    await forwardWaitingTexts(under.workerContext);
    expect(await forwarded()).toEqual([{ body: 'Hello', is_claim: false }]);
    await service.rows(`delete from inbound_texts where from_number = '+16045580001'`);
  });

  it('are deleted after 90 days, but not before they were forwarded', async () => {
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
