import { invalidRequest, OAuthError } from './oauth-error.ts';
import { decode, type Parameters } from './parameters.ts';

export interface Credentials {
  readonly client_id: string;
  readonly client_secret: string | undefined;
  readonly method: 'basic' | 'body';
}

/** The credentials of a client (RFC 6749 §2.3.1), from the header or the body. Throws OAuthError. */
export function readCredentials(
  authorization: string | undefined,
  { client_id, client_secret }: Parameters['values'],
): Credentials {
  if (authorization === undefined) {
    if (client_id === undefined) throw invalidClient('body');
    return { client_id, client_secret, method: 'body' };
  }
  const basic = readBasic(authorization);
  if (!basic) throw invalidClient('basic');
  if (client_secret !== undefined)
    throw invalidRequest('Credentials must be in the header or in the body, not in both');
  if (client_id !== undefined && client_id !== basic.client_id) {
    throw invalidRequest('client_id differs from the one in the Authorization header');
  }
  return basic;
}

/** The same error for an unknown client, a disabled one and a wrong secret, so that they cannot be told apart. */
export function invalidClient(method: Credentials['method']): OAuthError {
  const challenge = { 'www-authenticate': 'Basic realm="oauth2", charset="UTF-8"' };
  const description = 'Client authentication failed';
  return new OAuthError('invalid_client', description, 401, method === 'basic' ? challenge : {});
}

function readBasic(authorization: string): Credentials | undefined {
  const encoded = /^Basic +([\w+/=-]+)$/i.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const pair = Buffer.from(encoded, 'base64').toString();
  const at = pair.indexOf(':');
  const [client_id, secret] = [decode(pair.slice(0, at)), decode(pair.slice(at + 1))];
  if (at < 0 || !client_id || secret === undefined) return undefined;
  return { client_id, client_secret: secret === '' ? undefined : secret, method: 'basic' };
}
