import type { User } from '@crm/auth';
import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { oauthIn } from '../../test/oauth-client.ts';
import { peopleIn } from '../../test/people.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { someone } = peopleIn(identity);
const { someUser, someApp, codeFor, exchange, revoke } = oauthIn(identity);
const { applications, users } = identity.asSystem;

async function tokensOf(
  user: Awaited<ReturnType<typeof someUser>>,
  app: Awaited<ReturnType<typeof someApp>>,
) {
  return (await exchange(app, await codeFor(user, app))).body;
}
const idsFor = async (owner: User, oauth_client_id: string) =>
  (await identity.as(owner).users.find({ oauth_client_id })).data.map(({ id }) => id);

describe('the users of an application', () => {
  it('are those who have a valid token of it, whoever they are', async () => {
    const owner = await someone();
    const [app, other] = [await someApp({ owner: owner.id }), await someApp({ owner: owner.id })];
    const [anna, ben, cleo] = [await someUser(), await someUser(), await someUser()];
    for (const user of [anna, ben, cleo]) await tokensOf(user, app);
    await tokensOf(cleo, other);
    expect(await idsFor(owner, app.client_id)).toEqual([anna.id, ben.id, cleo.id]);
    expect(await idsFor(owner, other.client_id)).toEqual([cleo.id]);
    const one = { oauth_client_id: app.client_id, id: anna.id };
    expect(await identity.as(owner).users.get(one)).toMatchObject({ id: anna.id, email: anna.email });
  });

  it('do not include those whose token is invalid or whose account is disabled', async () => {
    const owner = await someone();
    const app = await someApp({ owner: owner.id });
    const [anna, ben, cleo] = [await someUser(), await someUser(), await someUser()];
    const [annas] = [await tokensOf(anna, app), await tokensOf(ben, app), await tokensOf(cleo, app)];
    await revoke(app, String(annas.refresh_token));
    await users.disable({ user: ben.id });
    await identity.rows(`update access_tokens set expires_at = now() where user_id = $1`, [cleo.id]);
    expect(await idsFor(owner, app.client_id)).toEqual([]);
    for (const { id } of [anna, ben, cleo]) {
      await expect(
        identity.as(owner).users.get({ id, oauth_client_id: app.client_id }),
      ).rejects.toMatchObject({ name: 'NotAuthenticated' });
    }
  });

  it('are visible only to its owner, and refused for an application that does not exist', async () => {
    const app = await someApp({ owner: (await someone()).id });
    const stranger = identity.as(await someone()).users;
    const foreign = { oauth_client_id: app.client_id };
    await expect(stranger.find(foreign)).rejects.toMatchObject({ name: 'NotAuthenticated' });
    await expect(stranger.get({ id: 1, ...foreign })).rejects.toMatchObject({ name: 'NotAuthenticated' });
    await applications.remove({ id: app.id });
    await expect(stranger.find(foreign)).rejects.toMatchObject({ name: 'Forbidden' });
    await expect(stranger.find({ oauth_client_id: 'no such thing' })).rejects.toMatchObject({
      name: 'Forbidden',
    });
  });

  it('are refused while the application is disabled', async () => {
    const owner = await someone();
    const app = await someApp({ owner: owner.id });
    await applications.change({ id: app.id, is_disabled: true });
    await expect(idsFor(owner, app.client_id)).rejects.toMatchObject({ name: 'Forbidden' });
  });

  it('are not considered without the client id: a user who is not visible is then not found', async () => {
    await expect(identity.as(await someone()).users.get({ id: 999_999 })).rejects.toMatchObject({
      name: 'NotFound',
    });
  });
});
