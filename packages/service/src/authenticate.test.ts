import { signInternalToken } from '@crm/auth';
import { someone } from '@crm/testing';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { authenticator } from './authenticate.ts';

const user = someone();

/** A key of an instance of identity, and a token of the user that is signed with it. */
async function newKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('Ed25519');
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid, alg: 'EdDSA' };
  return { jwk, token: await signInternalToken({ actor: user }, 'notes', { kid, privateKey }, new Date()) };
}

/** A service and the keys that identity lists, with the number of lookups, each of which takes until `answered`. */
function serviceThatLooksUp(listed: readonly JWK[], answered: Promise<void> = Promise.resolve()) {
  let lookups = 0;
  const authenticate = authenticator('notes', async () => {
    lookups += 1;
    const text = JSON.stringify({ keys: listed });
    await answered;
    return { text, replayed: false };
  });
  return { accept: (token: string) => authenticate({ token }, 'request'), lookups: () => lookups };
}

describe('an internal token of an instance of identity that has just started', () => {
  it('is accepted shortly after a lookup that did not find its key', async () => {
    const [first, second] = [await newKey('first'), await newKey('second')];
    const listed = [first.jwk];
    const { accept, lookups } = serviceThatLooksUp(listed);
    await accept(first.token);
    listed.push(second.jwk);
    expect(await Promise.all([accept(second.token), accept(second.token)])).toEqual([user, user]);
    expect(lookups()).toBe(2);
  });

  it('is accepted while a lookup is being made that does not find its key', async () => {
    const [first, second] = [await newKey('first'), await newKey('second')];
    const listed = [first.jwk];
    const { promise: answered, resolve } = Promise.withResolvers<void>();
    const { accept, lookups } = serviceThatLooksUp(listed, answered);
    const before = accept(first.token);
    await expect.poll(lookups).toBe(1);
    listed.push(second.jwk);
    const meanwhile = accept(second.token);
    resolve();
    expect(await Promise.all([before, meanwhile])).toEqual([user, user]);
    expect(lookups()).toBe(2);
  });
});

describe('an internal token that was accepted before', () => {
  it('is refused when it has expired, and by other services all the time', async () => {
    const { jwk, token } = await newKey('first');
    const { accept } = serviceThatLooksUp([jwk]);
    await accept(token);
    expect(await accept(token)).toEqual(user);
    await expect(accept(`${token}x`)).rejects.toMatchObject({ name: 'NotAuthenticated' });
    const other = authenticator('others', async () => ({
      text: JSON.stringify({ keys: [jwk] }),
      replayed: false,
    }));
    await expect(other({ token }, 'request')).rejects.toMatchObject({ name: 'NotAuthenticated' });
    const late = Date.now() + 36_000;
    vi.setSystemTime(late);
    onTestFinished(() => void vi.useRealTimers());
    await expect(accept(token)).rejects.toMatchObject({ name: 'NotAuthenticated' });
  });
});
