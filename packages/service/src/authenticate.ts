import { type Actor, isAccessToken, readInternalToken } from '@crm/auth';
import type { Caller, Credential } from '@crm/client';
import { refusal } from '@crm/contract';
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';

export const noToken = refusal('NotAuthenticated', 'No access token');
export const invalidToken = refusal('NotAuthenticated', 'Invalid access token');

/**
 * Finds out who is asking. An internal token is believed when identity signed it for this very service; an
 * access token, the operator's and the services', is resolved by identity at that moment, so that rights are never older
 * than the request. Throws NotAuthenticated for anything else.
 */
export function authenticator(service: string, identity: Caller) {
  const keys = keysOf(identity);
  return async (credential: Credential, requestId: string): Promise<Actor> => {
    if (!credential) throw noToken();
    if ('actor' in credential) return credential.actor;
    const { token } = credential;
    if (isAccessToken(token) || /^crm_(op|sv)_/.test(token)) return resolveActor(identity, token, requestId);
    try {
      return await readInternalToken(token, service, keys);
    } catch (error) {
      if (error instanceof errors.JOSEError) throw invalidToken();
      throw error;
    }
  };
}

/** Asks identity who holds an access token at this moment. Throws NotAuthenticated. */
export async function resolveActor(identity: Caller, token: string, requestId: string): Promise<Actor> {
  const { text } = await identity({
    procedure: 'actors.resolve',
    input: { token },
    credential: undefined,
    requestId,
  });
  return JSON.parse(text) as Actor;
}

/** How soon after a look-up an unknown key may cause another: forged tokens must not become load on identity. */
const leastMsBetweenLookups = 1000;

/** Identity's public keys, looked up again when a token names one that is not known yet. */
function keysOf(identity: Caller): JWTVerifyGetKey {
  let known = createLocalJWKSet({ keys: [] });
  let lookedUpAt = Number.NEGATIVE_INFINITY;
  let lookup: Promise<void> | undefined;
  const refresh = async () => {
    const { text } = await identity({
      procedure: 'keys.find',
      input: {},
      credential: undefined,
      requestId: 'keys',
    });
    known = createLocalJWKSet(JSON.parse(text) as JSONWebKeySet);
    lookedUpAt = performance.now();
  };
  return async (header, token) => {
    try {
      return await known(header, token);
    } catch (error) {
      const soon = performance.now() - lookedUpAt < leastMsBetweenLookups;
      if (!(error instanceof errors.JWKSNoMatchingKey) || (soon && !lookup)) throw error;
      lookup ??= refresh().finally(() => {
        lookup = undefined;
      });
      await lookup;
      return known(header, token);
    }
  };
}
