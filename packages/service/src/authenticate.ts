import { setTimeout as sleep } from 'node:timers/promises';
import { type Actor, actorAt, isAccessToken, isSystemToken, readInternalToken } from '@crm/auth';
import type { CallService, Credential } from '@crm/client';
import { tokenInvalid, tokenMissing } from '@crm/contract';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { type Asking, askIdentity } from './ask-identity.ts';
import { rememberVerified } from './verified-tokens.ts';

/**
 * Authenticates a caller. An internal token is accepted if identity signed it for this service; access tokens, the operator's
 * token and those of services are resolved by identity for each request, so that rights are never older than the request.
 * Throws NotAuthenticated for anything else.
 */
export function authenticator(service: string, identity: CallService) {
  const keys = keysOf(identity);
  const verified = rememberVerified();
  return async (credential: Credential, requestId: string, deadline?: number): Promise<Actor> => {
    if (!credential) throw tokenMissing();
    if ('actor' in credential) return credential.actor;
    const { token } = credential;
    if (isAccessToken(token) || isSystemToken(token))
      return (await resolveActor(identity, token, { requestId, deadline })).actor;
    try {
      const verify = () => readInternalToken(token, service, keys);
      return (await verified(token, verify)).actor;
    } catch (error) {
      if (error instanceof errors.JOSEError) throw tokenInvalid();
      throw error;
    }
  };
}

export interface TokenOrigin extends Omit<Asking, 'token'> {
  /** Where the request came from, if known. */
  readonly address?: string;
}

interface Resolved {
  readonly actor: Actor;
  /** Everything except where this request came from, as text that changes only if the rights do. */
  readonly rights: string;
}

/** Asks identity for the current actor of an access token. Throws NotAuthenticated. */
export async function resolveActor(
  identity: CallService,
  token: string,
  { requestId, deadline, address }: TokenOrigin,
): Promise<Resolved> {
  const text = await askIdentity(identity, 'actors.resolve', { token }, { requestId, deadline });
  return { actor: actorAt(JSON.parse(text) as Actor, address ?? null), rights: text };
}

/** The minimum time between lookups of keys, so that forged tokens cannot burden identity. */
const minMsBetweenLookups = 1000;

/**
 * Identity's public keys. A token with an unknown key is rejected only after a lookup that began after the token arrived: the
 * key may belong to an instance of identity that has just started.
 */
function keysOf(identity: CallService): JWTVerifyGetKey {
  let known = createLocalJWKSet({ keys: [] });
  let lookedUpAt = Number.NEGATIVE_INFINITY;
  let lookup: Promise<void> | undefined;
  const refresh = async () => {
    await sleep(Math.max(0, lookedUpAt + minMsBetweenLookups - performance.now()));
    const startedAt = performance.now();
    const text = await askIdentity(identity, 'keys.find', {}, { requestId: 'keys' });
    known = createLocalJWKSet(JSON.parse(text) as JSONWebKeySet);
    lookedUpAt = startedAt;
  };
  return async (header, token) => {
    const arrivedAt = performance.now();
    for (;;) {
      try {
        return await known(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey) || lookedUpAt >= arrivedAt) throw error;
        lookup ??= refresh().finally(() => {
          lookup = undefined;
        });
        await lookup;
      }
    }
  };
}
