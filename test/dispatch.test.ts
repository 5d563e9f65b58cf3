import { afterAll, describe, expect, it } from 'vitest';
import type { Json } from './system/api.ts';
import { join, made } from './system/made.ts';
import { until } from './system/until.ts';
import { type Person, shapesFor, startSystem } from './system.ts';

describe.each(shapesFor(import.meta))('%s: the alerts of an offer', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);
  const { mail, carrier } = system.carriers;
  let phones = 0;

  async function reachable() {
    const person = await system.person();
    phones += 1;
    const phone = `+1604555${1000 + phones}`;
    await system.operator.users.change({ user: person.id, phone });
    return { ...person, phone };
  }

  /** A lead of a new user that is offered to all members at once. */
  async function offered(members: readonly Person[], alerts: Json) {
    const anna = await system.person();
    const team = await made(anna, '/teams', { name: 'North', order_method: 'Time' });
    await join(system, team.id, ...members);
    for (const { id } of members) {
      await made(anna, '/team-member-distribution-options', {
        team_id: team.id,
        user_id: id,
        assign_automatically: false,
        mins_until_lead_offer: 0,
        ...alerts,
      });
    }
    const source = await made(anna, '/contact-sources', { name: 'Open house' });
    await system.settled();
    const campaign = await made(anna, '/campaigns', { name: 'Welcome' });
    const [leadSource] = (await anna.api.list('/lead-sources?name=Open%20house')).data;
    const contact = await made(anna, '/contacts', { first_name: 'Carla', source_id: source.id });
    await made(anna, '/lead-routes', {
      campaign_id: campaign.id,
      lead_source_id: leadSource?.id,
      contact_source_id: source.id,
      distribution_target: 'Team Rollout',
      team_selection_method: 'Specific Team',
      team_id: team.id,
    });
    const lead = await made(anna, '/leads', { contact_id: contact.id, source_id: leadSource?.id });
    await anna.api.post(`/leads/${lead.id}/offers`, {});
    return { anna, lead_id: lead.id };
  }

  /** The alert, and not an e-mail about the account, such as the invitation to the team, which may come first. */
  const alertTo = ({ email }: Person) =>
    until(async () =>
      (await mail.mails()).find(
        ({ to, text }) => to.some((one) => one.includes(email)) && linkIn(text) !== '',
      ),
    );
  const textTo = (phone: string) => until(() => carrier.texts().find(({ to }) => to === phone));
  const replied = (phone: string, wanted: string) =>
    until(() => carrier.texts().find(({ to, words }) => to === phone && words === wanted));
  const callTo = (phone: string) => until(() => carrier.calls().find(({ to }) => to === phone));
  const linkIn = (words = '') => /https?:\/\/\S+\/claim\/[\w-]+/.exec(words)?.[0] ?? '';
  const claimed = async ({ api }: Person, lead_id: number) => (await api.get(`/leads/${lead_id}`)).body;

  it('arrive by e-mail, text and call, and the link in one of them claims the lead', async () => {
    const [ben, cleo] = [await reachable(), await reachable()];
    const { anna, lead_id } = await offered([ben, cleo], {
      has_email_alert: true,
      has_text_alert: true,
      has_call_alert: true,
    });
    const link = linkIn((await alertTo(ben)).text);
    expect(link.startsWith(system.url)).toBe(true);
    const other = linkIn((await textTo(cleo.phone)).words);
    await callTo(ben.phone);

    const looked = await fetch(link);
    expect([looked.status, await looked.text()]).toEqual([200, expect.stringContaining('Claim this lead')]);
    expect(await claimed(anna, lead_id)).toMatchObject({ status: 'Offered', claimed_by_user_id: null });

    expect((await fetch(link, { method: 'POST' })).status).toBe(200);
    expect(await claimed(anna, lead_id)).toMatchObject({ claimed_by_user_id: ben.id, claimed_via: 'Email' });
    const late = await fetch(other, { method: 'POST' });
    expect([late.status, await late.text()]).toEqual([409, expect.stringContaining('Ada Byron')]);
    expect(await cleo.api.post(`/leads/${lead_id}/claim`, {})).toMatchObject({
      status: 409,
      body: { name: 'Conflict', errors: { claimed_by_user_id: String(ben.id) } },
    });
    await carrier.reply(cleo.phone, 'yes');
    await replied(cleo.phone, `Lead ${lead_id} was claimed by Ada Byron.`);
  });

  it('can be answered by a text that claims the lead', async () => {
    const ben = await reachable();
    const { anna, lead_id } = await offered([ben], { has_text_alert: true });
    await textTo(ben.phone);
    expect(await carrier.reply(ben.phone, `Claim ${lead_id}`)).toMatchObject({ status: 200 });
    await replied(ben.phone, `Lead ${lead_id} is yours.`);
    expect(await claimed(anna, lead_id)).toMatchObject({ claimed_by_user_id: ben.id, claimed_via: 'Text' });
  });

  it('can be answered by a key press that claims the lead', async () => {
    const ben = await reachable();
    const { anna, lead_id } = await offered([ben], { has_call_alert: true });
    const { status, body } = await carrier.press((await callTo(ben.phone)).sid, '1');
    expect([status, body]).toEqual([200, expect.stringContaining(`Lead ${lead_id} is yours.`)]);
    expect(await claimed(anna, lead_id)).toMatchObject({ claimed_by_user_id: ben.id, claimed_via: 'Phone' });
  });

  it('are not texted to a number that has opted out', async () => {
    const ben = await reachable();
    await carrier.reply(ben.phone, 'STOP');
    await until(
      async () =>
        (await system.rows('contacts', 'select from opt_outs where destination = $1', [ben.phone]))[0],
    );
    const { lead_id } = await offered([ben], { has_text_alert: true, has_email_alert: true });
    await alertTo(ben);
    const reason = await until(async () => {
      const [alert] = await system.rows(
        'leads-routing',
        `select reason from lead_alerts a join lead_offers o on o.id = a.offer_id
         where o.lead_id = $1 and a.kind = 'Text' and a.state = 'Dropped'`,
        [lead_id],
      );
      return alert?.reason;
    });
    expect(reason).toBe("The user's phone number has opted out of texts. The user gets another alert.");
    expect(carrier.texts().filter(({ to }) => to === ben.phone)).toEqual([]);
  });

  it('can only be answered through the carrier', async () => {
    const ben = await reachable();
    const { anna, lead_id } = await offered([ben], { has_text_alert: true });
    await textTo(ben.phone);
    const answer = await fetch(`${system.url}/callbacks/texts`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': 'forged' },
      body: new URLSearchParams({ MessageSid: 'SM1', From: ben.phone, To: '+16045550100', Body: 'yes' }),
    });
    expect(answer.status).toBe(403);
    expect(await claimed(anna, lead_id)).toMatchObject({ claimed_by_user_id: null });
  });
});
