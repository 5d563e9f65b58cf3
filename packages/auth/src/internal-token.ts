import { type CryptoKey, type JWTVerifyGetKey, jwtVerify, SignJWT } from 'jose';
import type { Actor } from './actor.ts';

/** Long enough for one request with its retries, too short to be worth stealing. */
const lifeSeconds = 30;
const algorithm = 'EdDSA';
const issuer = 'crm/identity';

export interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
}

/**
 * Puts an actor into a token that one service, the audience, will believe for 30 seconds (JWT, RFC 7519,
 * signed with Ed25519). Only identity signs.
 */
export async function signInternalToken(actor: Actor, audience: string, key: SigningKey, now: Date) {
  const issuedAt = Math.floor(now.getTime() / 1000);
  return new SignJWT({ actor })
    .setProtectedHeader({ alg: algorithm, kid: key.kid, typ: 'at+jwt' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifeSeconds)
    .sign(key.privateKey);
}

/** Reads an internal token; throws an error of jose for one that is forged, expired or meant for another service. */
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
    maxTokenAge: lifeSeconds,
    clockTolerance: 5,
    requiredClaims: ['actor', 'exp', 'iat'],
  });
  return payload.actor;
}
