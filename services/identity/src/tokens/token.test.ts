import { isAccessToken, newAccessToken } from '@crm/auth';
import { decodeJwt } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest, operatorToken } from '../../test/harness.ts';
import { timezoneOffset } from '../users/timezone-offset.ts';
import { forgetEndedTokens } from './own-tokens.queries.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { users, tokens, actors, keys } = identity.asSystem;

let people = 0;
async function someUser() {
  people += 1;
  return users.create({
    email: `user${people}@example.com`,
    timezone: 'Asia/Kolkata',
  });
}
const invalid = { name: 'NotAuthenticated', message: 'Invalid access token' };

describe('an access token', () => {
  it('acts as its user for 90 days, with its scope', async () => {
    const user = await someUser();
    const before = Date.now();
    const issued = await tokens.create({ user: user.id, scope: 'read', name: 'laptop' });
    expect(issued).toMatchObject({
      token_type: 'Bearer',
      expires_in: 7_776_000,
      scope: 'read',
      name: 'laptop',
    });
    expect(Math.abs(Date.parse(issued.expires) - before - 7_776_000_000)).toBeLessThan(60_000);
    expect(await actors.resolve({ token: issued.access_token })).toMatchObject({
      id: user.id,
      timezone: 'Asia/Kolkata',
      scopes: ['read'],
    });
  });

  it('is created for a user by id or by e-mail address', async () => {
    const user = await someUser();
    expect(await tokens.create({ user: String(user.id) })).toMatchObject({ user_id: user.id });
    expect(await tokens.create({ user: user.email.toUpperCase() })).toMatchObject({ user_id: user.id });
    await expect(tokens.create({ user: 'nobody@example.com' })).rejects.toMatchObject({ name: 'NotFound' });
  });

  it('is recognizable without a database, and is stored as a hash', async () => {
    const { access_token } = await tokens.create({ user: (await someUser()).id });
    expect(access_token).toMatch(/^crm_at_[0-9A-Za-z]{49}$/);
    expect(isAccessToken(access_token)).toBe(true);
    const other = access_token.at(20) === 'a' ? 'b' : 'a';
    expect(isAccessToken(access_token.slice(0, 20) + other + access_token.slice(21))).toBe(false);
    const stored = await identity.rows('select * from access_tokens');
    expect(JSON.stringify(stored)).not.toContain(access_token);
  });

  it.each([
    ['revoked', (id: number) => tokens.revoke({ token: id })],
    [
      'expired',
      (id: number) =>
        identity.rows("update access_tokens set expires_at = now() - interval '1 s' where id = $1", [id]),
    ],
    [
      'of a disabled user',
      (id: number) =>
        identity.rows(
          'update users set disabled_at = now() where id = (select user_id from access_tokens where id = $1)',
          [id],
        ),
    ],
  ])('that is %s is refused with the same error as one that never existed', async (_, end) => {
    const { id, access_token } = await tokens.create({ user: (await someUser()).id });
    await end(id);
    await expect(actors.resolve({ token: access_token })).rejects.toMatchObject(invalid);
    await expect(actors.admit({ token: access_token, audience: 'contacts' })).rejects.toMatchObject(invalid);
    const other = await tokens.create({ user: (await someUser()).id });
    const requests = [access_token, other.access_token].map((token) => ({ token, audience: 'contacts' }));
    expect(await actors.admitTogether({ requests })).toEqual([
      null,
      await actors.admit({ token: other.access_token, audience: 'contacts' }),
    ]);
    await expect(actors.resolve({ token: newAccessToken() })).rejects.toMatchObject(invalid);
    await expect(actors.resolve({ token: 'rubbish' })).rejects.toMatchObject(invalid);
  });

  it('is revoked by the token or by its id, and only once', async () => {
    const { id, user_id, access_token } = await tokens.create({ user: (await someUser()).id });
    expect(await tokens.revoke({ token: access_token })).toMatchObject({ id });
    const [first] = await identity.rows('select revoked_at from access_tokens where id = $1', [id]);
    await tokens.revoke({ token: id });
    expect(await identity.rows('select revoked_at from access_tokens where id = $1', [id])).toEqual([first]);
    const said = (await identity.published()).filter((event) =>
      JSON.stringify(event.data).includes(`"access_token_id":${id}`),
    );
    expect(said).toHaveLength(1);
    expect(said[0]).toMatchObject({
      type: 'crm.identity.access-token.revoked',
      data: { access_token_id: id, user_id },
    });
    expect(JSON.stringify(said)).not.toContain(access_token);
  });

  it('is exchanged for an internal token for one service and 30 seconds', async () => {
    const { access_token, user_id } = await tokens.create({ user: (await someUser()).id });
    const { internal_token } = await actors.admit({ token: access_token, audience: 'contacts' });
    const { aud, exp, iat, actor } = decodeJwt<{ actor: { id: number } }>(internal_token);
    expect({ aud, life: (exp ?? 0) - (iat ?? 0), user: actor.id }).toEqual({
      aud: 'contacts',
      life: 30,
      user: user_id,
    });
    expect(internal_token).not.toContain(access_token);
  });

  it('is stored nowhere, so it cannot be read again', async () => {
    const { id } = await someUser();
    await expect(tokens.create({ user: id }, { idempotencyKey: 'again' })).rejects.toMatchObject({
      name: 'BadRequest',
      errors: { 'Idempotency-Key': expect.any(String) },
    });
    expect(await identity.rows('select from access_tokens where user_id = $1', [id])).toEqual([]);
  });

  it('is deleted 400 days after it expired, like the security events that show its name', async () => {
    const user = await someUser();
    const [old, recent] = [await tokens.create({ user: user.id }), await tokens.create({ user: user.id })];
    const ended = (days: number, id: number) =>
      identity.rows("update access_tokens set expires_at = now() - $1 * interval '1 day' where id = $2", [
        days,
        id,
      ]);
    await ended(401, old.id);
    await ended(399, recent.id);
    await forgetEndedTokens(identity.database.query);
    const left = await identity.rows('select id from access_tokens where user_id = $1', [user.id]);
    expect(left).toEqual([{ id: recent.id }]);
  });

  it('stores its last use', async () => {
    const { id, access_token } = await tokens.create({ user: (await someUser()).id });
    await actors.resolve({ token: access_token });
    const lastUse = async () =>
      (await identity.rows('select last_used_at from access_tokens where id = $1', [id]))[0]?.last_used_at;
    await expect.poll(lastUse, { interval: 500 }).not.toBeNull();
  });
});

describe('the operator token', () => {
  it('authenticates as the system, and a similar token does not', async () => {
    expect(await actors.resolve({ token: operatorToken })).toEqual({ system: true, caller: 'operator' });
    await expect(actors.resolve({ token: `${operatorToken}x` })).rejects.toMatchObject(invalid);
    await expect(actors.resolve({ token: '' })).rejects.toMatchObject(invalid);
  });
});

describe('the keys of internal tokens', () => {
  it('are listed without their private parts', async () => {
    const listed = await keys.find({});
    expect(listed.keys).toMatchObject([{ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA' }]);
    expect(listed.keys[0]).not.toHaveProperty('d');
    expect(JSON.stringify(await identity.rows('select * from signing_keys'))).not.toContain('"d"');
  });
});

describe('GET /me', () => {
  it('returns the user of the token', async () => {
    const user = await someUser();
    const actor = await actors.resolve({ token: (await tokens.create({ user: user.id })).access_token });
    const { is_broker, is_active, username, ...shown } = user;
    const unset = {
      pending_phone: null,
      pending_phone_problem: null,
      has_text_alerts: true,
      has_call_alerts: true,
    };
    expect(await identity.as(actor).me.get({})).toEqual({ ...shown, ...unset, timezone_offset: 5 });
  });

  it.each([
    ['America/Los_Angeles', '2026-01-15T12:00:00Z', -8],
    ['America/Los_Angeles', '2026-07-15T12:00:00Z', -7],
    ['Asia/Kolkata', '2026-07-15T12:00:00Z', 5],
    ['America/St_Johns', '2026-01-15T12:00:00Z', -4],
    ['UTC', '2026-01-15T12:00:00Z', 0],
  ])('computes the offset of %s at %s as %i', (zone, at, offset) => {
    expect(timezoneOffset(zone, new Date(at))).toBe(offset);
  });
});
