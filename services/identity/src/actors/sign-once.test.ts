import { type Actor, system } from '@crm/auth';
import { someone } from '@crm/testing';
import { decodeJwt, generateKeyPair, type JWTPayload } from 'jose';
import { expect, it } from 'vitest';
import { signingOnce } from './sign-once.ts';

const { privateKey } = await generateKeyPair('Ed25519');
const at = (seconds: number) => new Date(Date.UTC(2026, 2, 2, 12, 0, seconds));
const contentsOf = (token: string) => decodeJwt<JWTPayload & { actor: Actor }>(token);
const newSigner = () => signingOnce({ current: () => ({ kid: 'one', privateKey }) });
const withToken = { ...someone(), access: { token_id: 1, client_id: null, address: null } };

it('reuses a token for some seconds only, while most of its lifetime is left', async () => {
  const sign = newSigner();
  const actor = someone();
  const first = await sign({ actor }, { audience: 'contacts' }, at(0));
  expect(await sign({ actor }, { audience: 'contacts' }, at(3))).toBe(first);
  const later = contentsOf(await sign({ actor }, { audience: 'contacts' }, at(4)));
  expect(later.exp).toBe(at(34).getTime() / 1000);
});

it('reuses no token for another actor, service or address', async () => {
  const sign = newSigner();
  const from = (address: string) => ({ audience: 'contacts', address });
  await sign({ actor: withToken }, from('192.0.2.1'), at(0));
  expect(contentsOf(await sign({ actor: withToken }, from('192.0.2.2'), at(0))).actor).toMatchObject({
    access: { address: '192.0.2.2' },
  });
  expect(contentsOf(await sign({ actor: withToken }, { audience: 'scheduling' }, at(0))).aud).toBe(
    'scheduling',
  );
  const changed = { ...withToken, teammate_ids: [9] };
  expect(contentsOf(await sign({ actor: changed }, from('192.0.2.2'), at(0))).actor).toEqual({
    ...changed,
    access: { ...changed.access, address: '192.0.2.2' },
  });
  expect(contentsOf(await sign({ actor: system }, { audience: 'contacts' }, at(0))).actor).toEqual(system);
});

it('lets a token expire with the token that it was exchanged for', async () => {
  const presented = { actor: someone(), expiresAt: at(12) };
  const token = await newSigner()(presented, { audience: 'contacts' }, at(0));
  expect(contentsOf(token).exp).toBe(at(12).getTime() / 1000);
});
