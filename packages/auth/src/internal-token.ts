import { type CryptoKey, type JWTVerifyGetKey, jwtVerify, SignJWT } from 'jose';
import type { Actor } from './actor.ts';

/** Long enough for one request with its retries, and too short to be worth stealing. */
const lifetimeSeconds = 30;
const algorithm = 'EdDSA';
const issuer = 'crm/identity';

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
}

/** What an internal token proves. */
export interface VerifiedToken {
  readonly actor: Actor;
  readonly expiresAt: Date;
}

/**
 * Signs a token for an actor that is valid for one service, the audience, and for 30 seconds, or only as long as the token that
 * it is exchanged for: otherwise exchanges could keep a stolen token alive (JWT, RFC 7519, Ed25519). Only identity signs tokens.
 */
export async function signInternalToken(
  { actor, expiresAt }: Pick<VerifiedToken, 'actor'> & Partial<VerifiedToken>,
  audience: string,
  key: SigningKey,
  now: Date,
) {
  const issuedAt = Math.floor(now.getTime() / 1000);
  const latest = issuedAt + lifetimeSeconds;
  return new SignJWT({ actor })
    .setProtectedHeader({ alg: algorithm, kid: key.kid, typ: 'at+jwt' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt ? Math.min(latest, expiresAt.getTime() / 1000) : latest)
    .sign(key.privateKey);
}

/** Verifies an internal token. Throws a JOSEError if it is forged, expired or meant for another service. */
export async function readInternalToken(
  token: string,
  audience: string,
  keys: JWTVerifyGetKey,
): Promise<VerifiedToken> {
  const { payload } = await jwtVerify<{ actor: Actor }>(token, keys, {
    algorithms: [algorithm],
    issuer,
    audience,
    typ: 'at+jwt',
    maxTokenAge: lifetimeSeconds,
    clockTolerance: 5,
    requiredClaims: ['actor', 'exp', 'iat'],
  });
  return { actor: payload.actor, expiresAt: new Date((payload.exp ?? 0) * 1000) };
}
