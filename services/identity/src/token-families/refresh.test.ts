import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { oauthIn } from '../../test/oauth-client.ts';
import { successorsOf } from './successors.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { someUser, someApp, tokensFor, refresh, revoke, isGood } = oauthIn(identity);
const ada = await someUser();
const app = await someApp();
const invalidGrant = { status: 400, body: { error: 'invalid_grant' } };

/** Ends the grace period of everything used so far. */
const passGrace = () =>
  identity.rows("update refresh_tokens set used_at = used_at - interval '60 s' where used_at is not null");

const revocations = async () =>
  (await identity.published()).filter(({ type }) => type.endsWith('token-family.revoked')).length;

describe('refreshing', () => {
  it('issues a new pair and leaves the previous access token valid', async () => {
    const first = await tokensFor(ada, app);
    const { status, body } = await refresh(app, first.refresh_token, { redirect_uri: app.redirect_uri });
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual([
      'access_token',
      'expires',
      'expires_in',
      'refresh_token',
      'scope',
      'token_type',
    ]);
    expect(body).toMatchObject({ expires_in: 7_776_000, scope: 'write', token_type: 'Bearer' });
    expect(body.access_token).not.toBe(first.access_token);
    expect(body.refresh_token).not.toBe(first.refresh_token);
    expect(await isGood(first.access_token)).toBe(true);
    expect(await isGood(String(body.access_token))).toBe(true);
  });

  it('repeatedly at once returns the same valid pair three times, and then refuses without revoking it', async () => {
    const before = await revocations();
    const first = await tokensFor(ada, app);
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(app, first.refresh_token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array(3).fill(200),
      ...Array(17).fill(400),
    ]);
    const issued = answers.filter(({ status }) => status === 200);
    const pairs = new Set(issued.map(({ body }) => `${body.access_token} ${body.refresh_token}`));
    expect(pairs.size).toBe(1);
    const [access = '', next = ''] = [...pairs][0]?.split(' ') ?? [];
    expect(await isGood(access)).toBe(true);
    expect(await refresh(app, next)).toMatchObject({ status: 200 });
    expect(await revocations()).toBe(before);
    const heads = await identity.rows(
      `select from refresh_tokens r join access_tokens t on t.family_id = r.family_id
       where t.token_hash = encode(sha256($1::bytea), 'hex') and r.used_at is null`,
      [access],
    );
    expect(heads).toHaveLength(1);
  });

  it('again from another network revokes the family, and every repeated use is a security event', async () => {
    const first = await tokensFor(ada, app);
    const second = await refresh(app, first.refresh_token);
    await identity.rows('delete from security_events');
    for (const status of [200, 200, 400, 400])
      expect(await refresh(app, first.refresh_token)).toMatchObject({ status });
    const thief = { address: '203.0.113.99', headers: { 'user-agent': 'thief/1' } };
    expect(await refresh(app, first.refresh_token, {}, thief)).toMatchObject(invalidGrant);
    expect(await isGood(String(second.body.access_token))).toBe(false);
    const own = { user_id: ada.id, application_id: app.id, address: '203.0.113.7' };
    const events = await identity.rows('select * from security_events order by id');
    expect(events).toMatchObject([
      ...Array(3).fill({ ...own, kind: 'refresh token repeated' }),
      { ...own, kind: 'refresh token misused', address: '203.0.113.99', user_agent: 'thief/1' },
    ]);
  });

  it('again returns the same pair within a minute, and later revokes the family and publishes it', async () => {
    const first = await tokensFor(ada, app);
    const second = await refresh(app, first.refresh_token);
    await identity.rows(
      "update refresh_tokens set used_at = used_at - interval '50 s' where used_at is not null",
    );
    const again = await refresh(app, first.refresh_token);
    expect(again).toMatchObject({
      status: 200,
      body: { access_token: second.body.access_token, refresh_token: second.body.refresh_token },
    });
    const before = await revocations();
    await passGrace();
    expect(await refresh(app, first.refresh_token)).toMatchObject(invalidGrant);
    expect(await isGood(first.access_token)).toBe(false);
    expect(await isGood(String(second.body.access_token))).toBe(false);
    expect(await refresh(app, String(second.body.refresh_token))).toMatchObject(invalidGrant);
    expect(await revocations()).toBe(before + 1);
  });

  it('again returns no access token that was revoked meanwhile', async () => {
    const first = await tokensFor(ada, app);
    const { body } = await refresh(app, first.refresh_token);
    await revoke(app, String(body.access_token));
    expect(await refresh(app, first.refresh_token)).toMatchObject(invalidGrant);
    expect(await refresh(app, String(body.refresh_token))).toMatchObject({ status: 200 });
  });

  it('ends when the operator revokes an access token of it, which somebody may have stolen with it', async () => {
    const first = await tokensFor(ada, app);
    await identity.asSystem.tokens.revoke({ token: first.access_token });
    expect(await refresh(app, first.refresh_token)).toMatchObject(invalidGrant);
  });

  it('by another application is refused and changes nothing', async () => {
    const first = await tokensFor(ada, app);
    expect(await refresh(await someApp(), first.refresh_token)).toMatchObject(invalidGrant);
    expect(await refresh(app, first.refresh_token)).toMatchObject({ status: 200 });
    expect(await refresh(app, 'crm_rt_none')).toMatchObject(invalidGrant);
  });

  it('can narrow the scope of the access token, and never widen it', async () => {
    const first = await tokensFor(ada, app, { scope: 'write' });
    const narrow = await refresh(app, first.refresh_token, { scope: 'read' });
    expect(narrow).toMatchObject({ status: 200, body: { scope: 'read' } });
    const listed = await refresh(app, String(narrow.body.refresh_token), { scope: "['read']" });
    expect(listed).toMatchObject({ status: 200, body: { scope: 'read' } });
    const wide = await refresh(app, String(listed.body.refresh_token));
    expect(wide).toMatchObject({ status: 200, body: { scope: 'write' } });
    const reader = await tokensFor(await someUser(), app, { scope: 'read' });
    for (const scope of ['write', 'read write', 'admin']) {
      const refused = { status: 400, body: { error: 'invalid_scope' } };
      expect(await refresh(app, reader.refresh_token, { scope })).toMatchObject(refused);
    }
    expect(await refresh(app, reader.refresh_token)).toMatchObject({ status: 200, body: { scope: 'read' } });
  });

  it('is possible for 180 days without use and for a year in all', async () => {
    const [idle, old] = [await tokensFor(ada, app), await tokensFor(ada, app)];
    const lives = await identity.rows(
      `select extract(day from r.expires_at - r.created_at)::int as idle,
       extract(day from f.ends_at - f.created_at)::int as whole
       from refresh_tokens r join token_families f on f.id = r.family_id order by r.id desc limit 1`,
    );
    expect(lives).toEqual([{ idle: 180, whole: 365 }]);
    const familyOf = `(select family_id from refresh_tokens where token_hash = encode(sha256($1::bytea), 'hex'))`;
    await identity.rows(`update refresh_tokens set expires_at = now() where family_id = ${familyOf}`, [
      idle.refresh_token,
    ]);
    expect(await refresh(app, idle.refresh_token)).toMatchObject(invalidGrant);
    await identity.rows(
      `update token_families set ends_at = now() + interval '1 day' where id = ${familyOf}`,
      [old.refresh_token],
    );
    const { body } = await refresh(app, old.refresh_token);
    const [last] = await identity.rows(
      `select abs(extract(epoch from r.expires_at - f.ends_at)) < 1 as capped from refresh_tokens r join token_families f on f.id = r.family_id
       where r.token_hash = encode(sha256($1::bytea), 'hex')`,
      [body.refresh_token],
    );
    expect(last).toEqual({ capped: true });
  });

  it('derives a pair that needs both the token and the salt', () => {
    const [a, b] = [successorsOf('token', 'salt'), successorsOf('token', 'salt')];
    expect(a).toEqual(b);
    expect(successorsOf('token', 'other')).not.toEqual(a);
    expect(successorsOf('other', 'salt')).not.toEqual(a);
    expect(a.access_token.slice(7)).not.toBe(a.refresh_token.slice(7));
  });
});

type Step =
  | { readonly kind: 'refresh' | 'lose' | 'wait' }
  | { readonly kind: 'replay'; readonly back: number };

describe('any order of refreshes, lost responses, waits and replays', () => {
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.constantFrom({ kind: 'refresh' } as const, { kind: 'lose' } as const, { kind: 'wait' } as const),
    fc.record({ kind: fc.constant('replay' as const), back: fc.integer({ min: 1, max: 4 }) }),
  );

  const validTokensOf = ({ refresh_token }: { readonly refresh_token: string }) =>
    identity.rows(
      `select from refresh_tokens r join token_families f on f.id = r.family_id
       where r.used_at is null and f.revoked_at is null and r.family_id =
         (select family_id from refresh_tokens where token_hash = encode(sha256($1::bytea), 'hex'))`,
      [refresh_token],
    );

  it('leaves exactly one valid refresh token, or a revoked family', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
        const first = await tokensFor(ada, app);
        /** All pairs that were ever issued, received or not, oldest first. */
        const chain = [first];
        let current = 0;
        const repetitions = new Map<number, number>();
        /** How many tokens of the chain, from its start, were used before the last wait. */
        let usedBeforeWait = 0;
        let revoked = false;
        const present = async (index: number) => {
          const { status, body } = await refresh(app, chain[index]?.refresh_token ?? '');
          const isUsed = index < chain.length - 1;
          if (revoked || (isUsed && index < usedBeforeWait)) {
            expect(status).toBe(400);
            revoked = true;
            return;
          }
          const times = (repetitions.get(index) ?? 0) + (isUsed ? 1 : 0);
          repetitions.set(index, times);
          expect(status).toBe(times > 2 ? 400 : 200);
          if (times > 2) return;
          const pair = { access_token: String(body.access_token), refresh_token: String(body.refresh_token) };
          if (isUsed) expect(pair).toEqual(chain[index + 1]);
          else chain.push(pair);
          return index + 1;
        };
        for (const action of steps) {
          if (action.kind === 'wait') {
            await passGrace();
            usedBeforeWait = chain.length - 1;
          } else if (action.kind === 'replay') await present(Math.max(0, current - action.back));
          else {
            const next = await present(current);
            if (action.kind === 'refresh' && next !== undefined) current = next;
          }
        }
        for (const { access_token } of chain) expect(await isGood(access_token)).toBe(!revoked);
        const valid = await validTokensOf(first);
        expect(valid).toHaveLength(revoked ? 0 : 1);
      }),
      { numRuns: 25 },
    );
  });
});
