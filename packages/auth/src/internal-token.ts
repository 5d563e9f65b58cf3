import { type CryptoKey, type JWTVerifyGetKey, jwtVerify, SignJWT } from 'jose';
import type { Actor } from './actor.ts';

/** Long enough for one request with its retries, too short to be worth stealing. */
const lifetimeSeconds = 30;
const algorithm = 'EdDSA';
const issuer = 'crm/identity';

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
}

/**
 * Signs a token for an actor that is valid for 30 seconds and for one service, the audience (JWT, RFC 7519, Ed25519).
 * Only identity signs tokens.
 */
export async function signInternalToken(actor: Actor, audience: string, key: SigningKey, now: Date) {
  const issuedAt = Math.floor(now.getTime() / 1000);
  return new SignJWT({ actor })
    .setProtectedHeader({ alg: algorithm, kid: key.kid, typ: 'at+jwt' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .sign(key.privateKey);
}

/** Verifies an internal token. Throws a JOSEError if it is forged, expired or meant for another service. */
export async function readInternalToken(
  token: string,
  audience: string,
  keys: JWTVerifyGetKey,
): Promise<Actor> {
  const { payload } = await jwtVerify<{ actor: Actor }>(token, keys, {
    algorithms: [algorithm],
    issuer,
    audience,
    typ: 'at+jwt',
    maxTokenAge: lifetimeSeconds,
    clockTolerance: 5,
    requiredClaims: ['actor', 'exp', 'iat'],
  });
  return payload.actor;
}
