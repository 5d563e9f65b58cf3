import { webRequest } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { dispatchUnderTest } from '../../test/dispatch.ts';
import { claimToken } from './claim-token.ts';

const under = await dispatchUnderTest();
afterAll(under.close);
const { service, mail, carrier, turn, offer, alerts, reachable, settings } = under;
const { claimLinks } = service.asSystem;

const now = () => Date.now() / 1000;
const show = (token: string) => claimLinks.show(webRequest({ params: { token } }));
const claim = (token: string) => claimLinks.claim(webRequest({ params: { token } }));
const lead = async (id: number) => (await service.rows('select * from leads where id = $1', [id]))[0];
const untouched = { status: 'Offered', claimed_by_user_id: null };

/** A lead about which Ben was e-mailed and Cleo was texted, with the tokens of their links. */
async function alerted() {
  const [ben, cleo] = [
    (await reachable({ first_name: 'Ben', last_name: 'Miller' })).user,
    (await reachable({ first_name: 'Cleo' })).user,
  ];
  const { anna, team_id, lead_id } = await offer([
    [ben, { has_email_alert: true }],
    [cleo, { has_text_alert: true }],
  ]);
  await turn();
  const [first, second] = await alerts(lead_id);
  const email = (await mail.mails()).find(({ message_id }) => message_id?.includes(first?.key ?? ''));
  const text = carrier.texts().find(({ key }) => key === second?.key);
  const tokenIn = (words = '') => /\/claim\/([\w-]+)/.exec(words)?.[1] ?? '';
  return { anna, ben, cleo, team_id, lead_id, emailed: tokenIn(email?.text), texted: tokenIn(text?.words) };
}

describe('the link of an alert', () => {
  it('shows the lead with two buttons and claims nothing, however often a link scanner opens it', async () => {
    const { lead_id, emailed } = await alerted();
    for (let times = 0; times < 3; times++) {
      const { status, body } = await show(emailed);
      expect(status).toBe(200);
      expect(body).toContain('Carla');
      expect(body.match(/<button/g)).toHaveLength(2);
      expect(body).toMatch(/<form method="post"><button class="primary wide">/);
    }
    expect(await lead(lead_id)).toMatchObject(untouched);
  });

  it('claims with its button for its member and channel, and shows the same if the button is pressed again', async () => {
    const { cleo, lead_id, texted } = await alerted();
    for (let times = 0; times < 2; times++) {
      const { status, body } = await claim(texted);
      expect(status).toBe(200);
      expect(body).toContain('This lead is yours');
    }
    expect(await lead(lead_id)).toMatchObject({
      status: 'Claimed',
      claimed_by_user_id: cleo.id,
      claimed_via: 'Text',
    });
    const events = (await service.published()).filter(
      ({ type, data }) => type.endsWith('lead.claimed') && data.lead_id === lead_id,
    );
    expect(events).toMatchObject([{ actor: `user/${cleo.id}` }]);
  });

  it('shows the message, the price and the age of a lead, and the phone and e-mail only once it is claimed', async () => {
    const { ben, lead_id, emailed } = await alerted();
    await service.rows(
      `update leads set text_body = E'Is it free?\\nCall me <soon>.', listing_price = '450000',
         created_at = now() - interval '3 hours' where id = $1`,
      [lead_id],
    );
    const contact_id = Number((await lead(lead_id))?.contact_id);
    await service.contacts.rows(
      "update contacts set email = 'carla@example.com', mobile_phone = '(604) 555-0000' where id = $1",
      [contact_id],
    );
    const card = () => claimLinks.contactCard(webRequest({ params: { token: emailed } }));
    const offered = await show(emailed);
    for (const text of ['Is it free?\nCall me &lt;soon&gt;.', '$450,000', '3 hours ago'])
      expect(offered.body).toContain(text);
    for (const text of ['carla@example.com', '555-0000']) expect(offered.body).not.toContain(text);
    expect((await card()).status).toBe(404);

    const claimed = await claim(emailed);
    for (const text of [
      'href="tel:6045550000"',
      'href="sms:6045550000"',
      'mailto:carla@example.com',
      'contact.vcf',
    ])
      expect(claimed.body).toContain(text);
    expect(await card()).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/vcard; charset=utf-8' },
      body: expect.stringContaining('TEL;TYPE=CELL:(604) 555-0000'),
    });
    const api = service.contacts.as(await service.now(ben));
    expect(await api.contacts.get({ id: contact_id })).toMatchObject({ assigned_user_id: ben.id });
  });

  it.each(['after 6pm', 'ask her husband first'])(
    'dials the office if the home phone is %j',
    async (home) => {
      const { lead_id, emailed } = await alerted();
      await service.contacts.rows(
        `update contacts set mobile_phone = null, mobile_phone_e164 = null, home_phone = $2, home_phone_e164 = null,
         office_phone = '(604) 555-0000', office_phone_e164 = '+16045550000' where id = $1`,
        [Number((await lead(lead_id))?.contact_id), home],
      );
      const { body } = await claim(emailed);
      expect(body).toContain('href="tel:+16045550000">Call (604) 555-0000<');
      expect(body).toContain('href="sms:+16045550000"');
    },
  );

  it('dials the extension of a phone, and offers no text to it', async () => {
    const { lead_id, emailed } = await alerted();
    await service.contacts.rows(
      `update contacts set mobile_phone = null, mobile_phone_e164 = null, office_phone = '+1 604 555 0000 ext. 12',
         office_phone_e164 = '+16045550000' where id = $1`,
      [Number((await lead(lead_id))?.contact_id)],
    );
    const { body } = await claim(emailed);
    expect(body).toContain('href="tel:+16045550000;ext=12">Call +1 604 555 0000 ext. 12<');
    expect(body).not.toContain('href="sms:');
    const card = await claimLinks.contactCard(webRequest({ params: { token: emailed } }));
    expect(card.body).toContain('TEL;TYPE=WORK:+1 604 555 0000 ext. 12');
  });

  it('declines with its second button, and then shows nothing of the lead', async () => {
    const { cleo, lead_id, emailed, texted } = await alerted();
    const decline = () => claimLinks.decline(webRequest({ params: { token: emailed } }));
    for (let times = 0; times < 2; times++)
      expect((await decline()).body).toContain('You have declined this lead');
    for (const { body } of [await show(emailed), await claim(emailed)]) {
      expect(body).toContain('Offer withdrawn');
      expect(body).not.toContain('Carla');
    }
    await claim(texted);
    expect(await lead(lead_id)).toMatchObject({ claimed_by_user_id: cleo.id });
  });

  it('gives the lead to its creator once everybody has declined through a link', async () => {
    const { anna, lead_id, emailed, texted } = await alerted();
    for (const token of [emailed, texted]) await claimLinks.decline(webRequest({ params: { token } }));
    expect(await lead(lead_id)).toMatchObject({
      distribution_target: 'Myself',
      assigned_user_id: anna.id,
      fallback_reason: 'Nobody claimed it',
    });
    const declined = (await service.published()).filter(({ type }) => type.endsWith('offer.declined'));
    expect(declined.slice(-2).map(({ data }) => data)).toMatchObject([{ lead_id }, { lead_id }]);
  });

  it('tells a member who comes too late who claimed the lead', async () => {
    const { ben, lead_id, emailed, texted } = await alerted();
    await claim(emailed);
    const late = await claim(texted);
    expect(late.status).toBe(409);
    expect(late.body).toContain('claimed by Ben Miller');
    expect(late.body).not.toContain('Carla');
    const looked = await show(texted);
    expect(looked.status).toBe(200);
    expect(looked.body).toContain('claimed by Ben Miller');
    expect(looked.body).not.toContain('<button');
    const card = await claimLinks.contactCard(webRequest({ params: { token: texted } }));
    expect([card.status, card.body]).toEqual([404, expect.not.stringContaining('Carla')]);
    expect(await lead(lead_id)).toMatchObject({ claimed_by_user_id: ben.id, claimed_via: 'Email' });
  });

  it('can only show itself and submit its form', async () => {
    const { emailed } = await alerted();
    for (const { headers, body } of [await show(emailed), await show('forged'), await claim(emailed)]) {
      expect(headers).toMatchObject({
        'content-security-policy': expect.stringMatching(
          /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
        ),
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
      expect(body).not.toMatch(/<script|javascript:| on\w+=|https?:/i);
      expect(body).toContain('width=device-width');
    }
  });

  it('shows the fields of a lead as text', async () => {
    const { lead_id, emailed } = await alerted();
    await service.rows('update leads set street_address = $2 where id = $1', [
      lead_id,
      '"><img src=x onerror=alert(1)>',
    ]);
    const { body } = await show(emailed);
    expect(body).not.toContain('<img');
    expect(body).toContain('&lt;img');
  });
});

describe('an invalid link', () => {
  const invalidLinks = async () => {
    const { ben, lead_id, emailed } = await alerted();
    const grant = { lead_id, user_id: ben.id, via: 'Email' } as const;
    return {
      lead_id,
      tokens: [
        '',
        'x',
        emailed.slice(0, -1),
        `${emailed}x`,
        emailed.replace(/^\d+/, (id) => String(Number(id) - 1)),
        claimToken('another-key-of-claim-links-for-tests', grant, now()),
        claimToken(settings.claimKey, grant, now() - 15 * 86_400),
        'x'.repeat(5000),
      ],
    };
  };

  it('is not found, whether it is forged, damaged or expired, and claims nothing', async () => {
    const { lead_id, tokens } = await invalidLinks();
    for (const token of tokens) {
      for (const { status, body } of [await show(token), await claim(token)]) {
        expect(status, token).toBe(404);
        expect(body).not.toContain('Carla');
      }
    }
    expect(await lead(lead_id)).toMatchObject(untouched);
  });

  it('is that of a disabled account', async () => {
    const { ben, lead_id, emailed } = await alerted();
    await service.identity.asSystem.users.disable({ user: ben.id });
    expect([(await show(emailed)).status, (await claim(emailed)).status]).toEqual([404, 404]);
    expect(await lead(lead_id)).toMatchObject(untouched);
  });

  it('is that of a user without an offer, even if the token is genuine', async () => {
    const { lead_id } = await alerted();
    const stranger = await service.person();
    const token = claimToken(settings.claimKey, { lead_id, user_id: stranger.id, via: 'Email' }, now());
    const { status, body } = await claim(token);
    expect(status).toBe(409);
    expect(body).toContain('Offer withdrawn');
    expect(body).not.toContain('Carla');
    expect(await lead(lead_id)).toMatchObject(untouched);
  });

  it('says that an offer was withdrawn', async () => {
    const { anna, ben, team_id, lead_id, emailed } = await alerted();
    const owner = await service.asNow(anna);
    const { data } = await owner.distributionOptions.find({ team_id, user_id: ben.id });
    await owner.distributionOptions.remove({ id: data[0]?.id ?? 0 });
    for (const { body } of [await show(emailed), await claim(emailed)]) expect(body).toContain('withdrawn');
    expect((await claim(emailed)).status).toBe(409);
    expect(await lead(lead_id)).toMatchObject(untouched);
  });

  it('says no more to a member who has left the team, also after a claim, unless the member has claimed the lead', async () => {
    const { ben, cleo, team_id, emailed, texted } = await alerted();
    await service.leave(team_id, cleo);
    const before = await show(texted);
    expect(before.body).toContain('Offer withdrawn');
    await claim(emailed);
    expect(await show(texted)).toEqual(before);
    expect((await claim(texted)).body).not.toContain('Ben');
    await service.leave(team_id, ben);
    expect((await show(emailed)).body).toContain('This lead is yours');
  });

  it("says that it is not the member's turn yet", async () => {
    const { user } = await reachable();
    const { lead_id } = await offer([[user, { has_email_alert: true, mins_until_lead_offer: 30 }]]);
    const token = claimToken(settings.claimKey, { lead_id, user_id: user.id, via: 'Email' }, now());
    expect((await show(token)).body).toContain('has not been offered to you yet');
    expect((await claim(token)).status).toBe(403);
    expect(await lead(lead_id)).toMatchObject(untouched);
  });
});
