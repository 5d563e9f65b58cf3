import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { ownOrigin, password, signedIn, tokenIn, visitorOf } from '../../test/visitor.ts';
import { formToken } from '../sessions/browser-secret.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { users, account, brokers, invitations, actors, tokens, subAccounts } = identity.asSystem;

interface Submitting {
  readonly id: number;
  readonly browser: ReturnType<typeof visitorOf>;
}

/** Submits the forms of the pages; where there are several delegations, for the newest one. */
function formsOf({ id, browser }: Submitting) {
  type Page = typeof brokers.list;
  const submit = async (list: Page, call: Page, path: string, fields: Record<string, string> = {}) => {
    const shown = await browser.get(list);
    const delegation_id = /\/(\d+)\//.exec(path)?.[1] ?? '';
    const sent = { params: { delegation_id }, headers: ownOrigin };
    return browser.post(call, { form_token: tokenIn(shown, path), ...fields }, sent);
  };
  const newest = async () => {
    const [row] = await identity.rows(
      "select max(id) as id from delegations where (user_id = $1 or broker_user_id = $1) and state <> 'ended'",
      [id],
    );
    return Number(row?.id);
  };
  const { list, allow, accept, leave } = brokers;
  return {
    invite: (email: string, fields: Record<string, string> = {}) =>
      submit(invitations.list, invitations.invite, '/account/sub-accounts', { email, ...fields }),
    end: async () => submit(invitations.list, invitations.end, `/account/sub-accounts/${await newest()}/end`),
    allow: (email: string, given = password) =>
      submit(list, allow, '/account/brokers', { email, password: given }),
    accept: async (given = password, fields: Record<string, string> = {}) => {
      const which = await newest();
      const version = /name="version" value="(\d+)"/.exec((await browser.get(list)).body)?.[1] ?? '';
      const sent = { [`password-${which}`]: given, version, ...fields };
      return submit(list, accept, `/account/brokers/${which}/accept`, sent);
    },
    leave: async () => submit(list, leave, `/account/brokers/${await newest()}/leave`),
  };
}

/** The same person in another browser. */
async function elsewhere({ id, email }: { readonly id: number; readonly email: string }) {
  const browser = visitorOf(identity);
  await browser.signIn(email, password);
  return formsOf({ id, browser });
}

/** Somebody signed in. */
async function someone(facts: object = {}) {
  const user = await signedIn(identity, { first_name: 'Lee', ...facts });
  const { id, browser } = user;
  return {
    ...user,
    ...formsOf(user),
    page: async () => (await browser.get(brokers.list)).body,
    brokerPage: async () => (await browser.get(invitations.list)).body,
    as: async () => {
      const { access_token } = await tokens.create({ user: id });
      return identity.as(await actors.resolve({ token: access_token }));
    },
  };
}
const pair = async () => [await someone({ is_broker: true }), await someone()] as const;
const tokenOf = async (broker: Awaited<ReturnType<typeof someone>>) =>
  String((await (await broker.as()).subAccounts.find({})).data[0]?.access_token);
const resolved = (token: string) => actors.resolve({ token }).catch(({ name }) => name);

describe('an invitation', () => {
  it('is accepted with the password, and makes the sub-account with the switches it shows', async () => {
    const [kim, lee] = await pair();
    const sent = await kim.invite(lee.email.toUpperCase(), { user_can_see_broker_hotnesses: 'true' });
    expect(sent).toMatchObject({ status: 303, headers: { location: '/account/sub-accounts' } });
    expect((await lee.browser.get(account.show)).body).toContain('Who may act for you');
    const page = await lee.page();
    for (const shown of [kim.email, 'Invites you', 's hotnesses', 'You cannot'])
      expect(page).toContain(shown);
    expect(await lee.accept('wrong')).toMatchObject({ status: 422 });
    expect(await lee.accept('')).toMatchObject({ status: 422 });
    expect(await lee.accept(password, { version: '0' })).toMatchObject({ status: 409 });
    expect((await (await kim.as()).subAccounts.find({})).total).toBe(0);
    expect(await lee.accept()).toMatchObject({ status: 303 });
    const { data } = await (await kim.as()).subAccounts.find({});
    expect(data).toMatchObject([
      { user_id: lee.id, user_can_see_broker_hotnesses: true, user_can_create_own_hotnesses: false },
    ]);
    expect(await resolved(String(data[0]?.access_token))).toMatchObject({ id: lee.id, act: { id: kim.id } });
    expect(await lee.page()).toContain('Has acted for you since');
    expect(await kim.brokerPage()).toContain('You have acted for this user since');
    expect(await lee.accept()).not.toMatchObject({ status: 303 });
  });

  it('can be declined or withdrawn, and expires after 7 days', async () => {
    const [kim, lee] = await pair();
    for (const over of [
      () => lee.leave(),
      () => kim.end(),
      () =>
        identity.rows(
          "update delegations set expires_at = expires_at - interval '7 days' where user_id = $1",
          [lee.id],
        ),
    ]) {
      await kim.invite(lee.email);
      expect(await lee.page()).toContain('Invites you');
      await over();
      expect(await lee.page()).not.toContain('Invites you');
      expect(await lee.accept()).not.toMatchObject({ status: 303 });
    }
    expect((await (await kim.as()).subAccounts.find({})).total).toBe(0);
  });

  it('does not reveal to the broker if an account has the address', async () => {
    const [kim, lee] = await pair();
    const max = await someone({ is_broker: true });
    const nobody = 'nobody@example.com';
    const answers = [];
    for (const address of [lee.email, nobody, max.email, nobody]) answers.push(await kim.invite(address));
    expect(new Set(answers.map(({ status, headers }) => `${status} ${headers.location}`)).size).toBe(1);
    const rows = (await kim.brokerPage()).split('<li>').filter((row) => row.includes('>invited<'));
    const known = [lee.email, nobody, max.email];
    const shapes = rows
      .map((row) => row.split('</li>')[0] ?? '')
      .map((row) => known.reduce((text, email) => text.replaceAll(email, '@'), row));
    expect(shapes).toHaveLength(3);
    expect(new Set(shapes.map((shape) => shape.replaceAll(/"[^"]*"/g, ''))).size).toBe(1);
    expect(await max.page()).not.toContain(kim.email);
  });

  it('can only be sent by brokers, needs an address, and is limited to 50 open ones', async () => {
    const [kim, lee] = await pair();
    expect(await lee.browser.get(invitations.list)).toMatchObject({ status: 404 });
    for (const wrong of ['no address', 'a\0b@example.com'])
      expect(await kim.invite(wrong)).toMatchObject({ status: 422 });
    await identity.rows(
      `insert into delegations (broker_user_id, invited_email, state, expires_at, created_at, modified_at)
       select $1, i || '@example.com', 'pending', now() + interval '1 day', now(), now()
       from generate_series(1, 49) i`,
      [kim.id],
    );
    const browsers = await Promise.all(Array.from({ length: 4 }, () => elsewhere(kim)));
    const answers = await Promise.all(
      browsers.map(({ invite }, index) => invite(`at-once-${index}@example.com`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422, 422, 422]);
    expect(await kim.invite(lee.email)).toMatchObject({ status: 422 });
    expect(await lee.page()).not.toContain('Invites you');
  });

  it('reaches an account that is created, enabled or no longer a broker afterwards', async () => {
    const [kim, later] = [await someone({ is_broker: true }), 'later@example.com'];
    await kim.invite(later);
    const lee = await someone({ email: later });
    const [max, off] = [await someone({ is_broker: true }), await someone()];
    await users.disable({ user: off.id });
    for (const { email } of [max, off]) await kim.invite(email);
    await users.change({ user: max.id, is_broker: false });
    await users.enable({ user: off.id });
    await off.browser.signIn(off.email, password);
    for (const one of [lee, max, off]) {
      expect(await one.page()).toContain('Invites you');
      expect(await one.accept()).toMatchObject({ status: 303 });
    }
  });

  it('can be sent again, whatever the user has allowed and the broker has not used', async () => {
    const [kim, lee] = await pair();
    await kim.invite(lee.email);
    // As the version before left it, if the account was created after the invitation.
    await identity.rows('update delegations set user_id = null where broker_user_id = $1', [kim.id]);
    await lee.allow(kim.email);
    await identity.rows("update delegations set expires_at = now() - interval '1 s' where user_id = $1", [
      lee.id,
    ]);
    for (let time = 0; time < 2; time++) expect(await kim.invite(lee.email)).toMatchObject({ status: 303 });
    expect((await kim.brokerPage()).split('>invited<')).toHaveLength(2);
    expect(await lee.page()).toContain('Invites you');
    expect(await lee.accept()).toMatchObject({ status: 303 });
  });

  it('to a user in the list changes nothing, even if the account is disabled', async () => {
    const [kim, lee] = await pair();
    await subAccounts.consent({ broker: kim.id, user: lee.id });
    await (await kim.as()).subAccounts.create({ user_id: lee.id });
    await users.disable({ user: lee.id });
    expect(await kim.invite(lee.email)).toMatchObject({ status: 422 });
    expect(await kim.brokerPage()).not.toContain('>invited<');
  });

  it('that expires while its page is open allows nothing', async () => {
    const [kim, lee] = await pair();
    await kim.invite(lee.email);
    const shown = await lee.browser.get(brokers.list);
    const [row] = await identity.rows(
      "update delegations set expires_at = now() - interval '1 s' where user_id = $1 returning id, version",
      [lee.id],
    );
    const form_token = tokenIn(shown, `/account/brokers/${row?.id}/accept`);
    const fields = { form_token, [`password-${row?.id}`]: password, version: String(row?.version) };
    const sent = { params: { delegation_id: String(row?.id) }, headers: ownOrigin };
    const answer = await lee.browser.post(brokers.accept, fields, sent);
    expect(answer).toMatchObject({
      status: 409,
      body: expect.stringContaining('The invitation has expired'),
    });
    expect(await lee.page()).toContain('No broker may act for you');
  });
});

describe('a user', () => {
  it('allows a broker by e-mail address, who can then add the user once', async () => {
    const [kim, lee] = await pair();
    expect(await lee.allow(kim.email, 'wrong')).toMatchObject({ status: 422 });
    expect(await lee.allow('nobody@example.com')).toMatchObject({ status: 422 });
    expect(await lee.allow(lee.email)).toMatchObject({ status: 422 });
    expect(await lee.allow('a\0b@example.com')).toMatchObject({ status: 422 });
    expect(await lee.allow(kim.email.toUpperCase())).toMatchObject({ status: 303 });
    expect(await lee.page()).toContain('Can add you as a sub-account once');
    expect(await kim.brokerPage()).toContain('You can add this user');
    await (await kim.as()).subAccounts.create({ user_id: lee.id });
    await lee.leave();
    await expect((await kim.as()).subAccounts.create({ user_id: lee.id })).rejects.toMatchObject({
      name: 'BadRequest',
    });
  });

  it('can leave a broker at any time, and the token of the broker stops working at once', async () => {
    const [kim, lee] = await pair();
    await subAccounts.consent({ broker: kim.id, user: lee.id });
    await (await kim.as()).subAccounts.create({ user_id: lee.id });
    const token = await tokenOf(kim);
    expect(await resolved(token)).toMatchObject({ id: lee.id });
    expect(await lee.leave()).toMatchObject({ status: 303 });
    expect(await resolved(token)).toBe('NotAuthenticated');
    expect((await (await kim.as()).subAccounts.find({})).total).toBe(0);
    expect(await lee.page()).toContain('No broker may act for you');
    const ended = (await identity.published()).slice(-2);
    expect(ended.map(({ type, actor }) => [type, actor])).toEqual([
      ['crm.identity.delegation.ended', `user/${lee.id}`],
      ['crm.identity.sub-account.removed', `user/${lee.id}`],
    ]);
  });

  it('confirms a waiting sub-account with the password', async () => {
    const [kim, lee] = await pair();
    await subAccounts.consent({ broker: kim.id, user: lee.id });
    await (await kim.as()).subAccounts.create({ user_id: lee.id });
    await users.changePassword({ user: lee.id, password });
    await lee.browser.signIn(lee.email, password);
    expect(await lee.page()).toContain('does not act for you until you allow it');
    expect(await kim.brokerPage()).toContain('>suspended<');
    expect(await lee.accept()).toMatchObject({ status: 303 });
    expect(await resolved(await tokenOf(kim))).toMatchObject({ id: lee.id });
  });

  it('can only change their own delegations', async () => {
    const [kim, lee] = await pair();
    const [max, mia] = await pair();
    await kim.invite(lee.email);
    const [row] = await identity.rows('select id from delegations where user_id = $1', [lee.id]);
    const sent = { params: { delegation_id: String(row?.id) }, headers: ownOrigin };
    for (const [who, call, path] of [
      [mia, brokers.accept, `/account/brokers/${row?.id}/accept`],
      [mia, brokers.leave, `/account/brokers/${row?.id}/leave`],
      [max, invitations.end, `/account/sub-accounts/${row?.id}/end`],
    ] as const) {
      const secret = [...who.browser.cookies].find(([name]) => name.includes('session'))?.[1] ?? '';
      const fields = { form_token: formToken(secret, path), [`password-${row?.id}`]: password };
      expect(await who.browser.post(call, fields, sent)).toMatchObject({ status: 404 });
    }
    expect(await lee.page()).toContain('Invites you');
  });
});
