import { createHmac } from 'node:crypto';
import { newSecret } from '@crm/auth';

export interface Pair {
  readonly access_token: string;
  readonly refresh_token: string;
}

/**
 * The pair that a refresh token is exchanged for. It is derived from the token and a stored salt, so that it can be
 * sent again to a client that lost the first response, but cannot be computed from the database alone.
 */
export function successorsOf(refreshToken: string, salt: string): Pair {
  const derived = (kind: string) => createHmac('sha256', refreshToken).update(`${kind}:${salt}`).digest();
  return {
    access_token: newSecret('accessToken', derived('access')),
    refresh_token: newSecret('refreshToken', derived('refresh')),
  };
}
