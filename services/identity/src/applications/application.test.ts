import { openTransaction } from '@crm/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { oauthIn } from '../../test/oauth-client.ts';
import { consentedApplications } from '../consents/consented-applications.queries.ts';
import { forgetRemovedApplications } from './forget-removed-applications.ts';
import { ownedApplications } from './owned-applications.queries.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { applications } = identity.asSystem;
const { someUser, someApp, codeFor, exchange, refresh, tokensFor, isGood, withdraw } = oauthIn(identity);

/** 400 for a forged code with a valid secret, 401 for an invalid secret. */
const isSecret = async (app: Awaited<ReturnType<typeof someApp>>, client_secret: string) =>
  (await exchange(app, 'x', { client_secret })).status === 400;

describe('an application', () => {
  it('is registered with a secret that is shown once and stored as a hash', async () => {
    const { id } = await someUser();
    const made = await applications.create({
      owner: id,
      name: 'Mailer',
      redirect_uris: ['https://m.example/cb'],
    });
    expect(made).toMatchObject({
      owner_user_id: id,
      name: 'Mailer',
      is_public: false,
      allows_implicit: false,
      is_disabled: false,
      redirect_uris: ['https://m.example/cb'],
      client_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      client_secret: expect.stringMatching(/^crm_cs_[0-9A-Za-z]{49}$/),
    });
    const { client_secret, ...listed } = made;
    const { data } = await applications.find({});
    expect(data).toContainEqual(listed);
    const stored = [await identity.rows('select * from application_secrets'), await identity.published()];
    expect(JSON.stringify(stored)).not.toContain(client_secret);
  });

  it('needs a name, a redirect URI and an owner', async () => {
    const { id } = await someUser();
    const draft = { owner: id, name: 'Mailer', redirect_uris: ['https://m.example/cb'] };
    const refused = { name: 'BadRequest' };
    await expect(applications.create({ ...draft, name: '' })).rejects.toMatchObject(refused);
    await expect(applications.create({ ...draft, redirect_uris: [] })).rejects.toMatchObject(refused);
    await expect(applications.create({ ...draft, owner: 2_000_000_000 })).rejects.toMatchObject({
      name: 'NotFound',
    });
  });

  it('shows a change with the next request, and publishes it', async () => {
    const app = await someApp();
    const changed = await applications.change({
      id: app.id,
      name: 'Post',
      redirect_uris: ['https://p.example/cb'],
    });
    expect(changed).toMatchObject({ name: 'Post', redirect_uris: ['https://p.example/cb'] });
    await applications.remove({ id: app.id });
    const about = (await identity.published()).filter(({ data }) => data.application_id === app.id);
    expect(about.map(({ type, aggregateversion }) => [type, aggregateversion])).toEqual([
      ['crm.identity.application.created', 1],
      ['crm.identity.application.changed', 2],
      ['crm.identity.application.removed', 3],
    ]);
    await expect(applications.change({ id: app.id, name: 'x' })).rejects.toMatchObject({ name: 'NotFound' });
  });
});

describe('a new secret', () => {
  it('works together with the previous one for a day, and with no older one', async () => {
    const app = await someApp();
    const second = await applications.rotateSecret({ id: app.id });
    const secrets = [app.client_secret, String(second.client_secret)];
    for (const secret of secrets) expect(await isSecret(app, secret)).toBe(true);
    const third = await applications.rotateSecret({ id: app.id });
    expect(await isSecret(app, app.client_secret)).toBe(false);
    expect(await isSecret(app, String(second.client_secret))).toBe(true);
    await identity.rows("update application_secrets set ends_at = ends_at - interval '1 day'");
    expect(await isSecret(app, String(second.client_secret))).toBe(false);
    expect(await isSecret(app, String(third.client_secret))).toBe(true);
  });

  it('revokes the previous one at once on request', async () => {
    const app = await someApp();
    const { client_secret } = await applications.rotateSecret({ id: app.id, at_once: true });
    expect(await isSecret(app, app.client_secret)).toBe(false);
    expect(await isSecret(app, String(client_secret))).toBe(true);
  });

  it('leaves two valid ones when several are created at once', async () => {
    const app = await someApp();
    const made = await Promise.all(
      Array.from({ length: 6 }, () => applications.rotateSecret({ id: app.id })),
    );
    const all = [app.client_secret, ...made.map(({ client_secret }) => String(client_secret))];
    const good = await Promise.all(all.map((secret) => isSecret(app, secret)));
    expect(good.filter(Boolean)).toHaveLength(2);
  });

  it('is refused for a public application', async () => {
    const { id } = await someApp({ is_public: true });
    await expect(applications.rotateSecret({ id })).rejects.toMatchObject({ name: 'BadRequest' });
  });
});

describe('withdrawing consent', () => {
  it('also revokes tokens that are being issued at that moment', async () => {
    const [ada, app] = [await someUser(), await someApp()];
    for (let round = 0; round < 5; round++) {
      const [first, second] = [await tokensFor(ada, app), await tokensFor(ada, app)];
      const code = await codeFor(ada, app);
      const [renewed, again, exchanged] = await Promise.all([
        refresh(app, first.refresh_token),
        refresh(app, second.refresh_token),
        exchange(app, code),
        withdraw(ada, app),
      ]);
      for (const { body } of [renewed, again, exchanged]) {
        expect(await isGood(String(body.access_token))).toBe(false);
        expect(await refresh(app, String(body.refresh_token))).toMatchObject({ status: 400 });
      }
    }
  });

  it('revokes all tokens that the application has for this user, and for nobody else', async () => {
    const [ada, ben] = [await someUser(), await someUser()];
    const [app, other] = [await someApp(), await someApp()];
    const [first, second] = [await tokensFor(ada, app), await tokensFor(ada, app)];
    const [others, bens] = [await tokensFor(ada, other), await tokensFor(ben, app)];
    await withdraw(ada, app);
    expect(await isGood(first.access_token)).toBe(false);
    expect(await isGood(second.access_token)).toBe(false);
    expect(await isGood(others.access_token)).toBe(true);
    expect(await isGood(bens.access_token)).toBe(true);
    const told = (await identity.published()).filter(
      ({ type, data }) => type.endsWith('consent.withdrawn') && data.application_id === app.id,
    );
    expect(told.map(({ data }) => data)).toEqual([
      expect.objectContaining({ user_id: ada.id, application_id: app.id, scope: 'write' }),
    ]);
  });
});

describe('a removed application', () => {
  const most = 5_000;
  const familiesOf = (id: number) =>
    identity.rows('select from token_families where application_id = $1', [id]);

  // Makes a statement that deletes too many families fail. With far more families, it would time out.
  beforeAll(async () => {
    await identity.rows(`create function refuse_many() returns trigger language plpgsql as $$ begin
        if (select count(*) from before) > ${most} then raise exception 'too many rows in one statement'; end if;
        return null;
      end $$`);
    await identity.rows(`create trigger refuse_many after delete on token_families referencing old table as before
      for each statement execute function refuse_many()`);
  });

  it('has no valid token and is hidden at once, and is deleted later even with very many token families', async () => {
    const ada = await someUser();
    const app = await someApp({ owner: ada.id });
    const { access_token, refresh_token } = await tokensFor(ada, app);
    await identity.rows(
      `insert into token_families (application_id, user_id, scope, created_at, ends_at)
       select $1::int, $2::int, 'read', now(), now() + interval '1 year' from generate_series(1, ${most + 500})`,
      [app.id, ada.id],
    );
    expect(await applications.remove({ id: app.id })).toMatchObject({ id: app.id, is_disabled: false });
    expect(await isGood(access_token)).toBe(false);
    expect(await refresh(app, refresh_token)).toMatchObject({ status: 401 });
    const { query } = identity.database;
    expect(await consentedApplications(query, ada.id)).toEqual([]);
    expect(await ownedApplications(query, ada.id)).toEqual([]);
    expect((await applications.find({})).data.map(({ id }) => id)).not.toContain(app.id);
    for (const ask of [
      () => applications.change({ id: app.id, is_disabled: false }),
      () => applications.rotateSecret({ id: app.id }),
      () => applications.remove({ id: app.id }),
    ])
      await expect(ask()).rejects.toMatchObject({ name: 'NotFound' });
    await forgetRemovedApplications(query);
    expect(await familiesOf(app.id)).toEqual([]);
    expect(await identity.rows('select from applications where id = $1', [app.id])).toEqual([]);
  });

  it('is kept until the rows that are still locked have been deleted', async () => {
    const app = await someApp();
    await tokensFor(await someUser(), app);
    const lock = 'select from token_families where application_id = $1 for update';
    await using held = await openTransaction(identity.database, lock, [app.id]);
    await applications.remove({ id: app.id });
    await forgetRemovedApplications(identity.database.query);
    expect(await familiesOf(app.id)).toHaveLength(1);
    await held.rollback();
    await forgetRemovedApplications(identity.database.query);
    expect(await familiesOf(app.id)).toEqual([]);
  });
});
