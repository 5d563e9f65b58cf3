import { isAccessToken, isUser, readInternalToken, type VerifiedToken } from '@crm/auth';
import { tokenInvalid } from '@crm/contract';
import { type Context, rememberVerified } from '@crm/service';
import { createLocalJWKSet, errors } from 'jose';
import { listedKeys } from '../keys/key.queries.ts';
import type { Resolve } from './resolve-token.ts';
import type { Presented } from './sign-once.ts';

/**
 * Verifies a token that a service has received and wants to exchange. Accepts only tokens of users: an access token, or
 * an internal token that identity signed for the presenting service. A service can therefore act for its callers and
 * for nobody else. Throws NotAuthenticated.
 */
export function exchangeable(resolve: Resolve) {
  const verified = rememberVerified();
  const ownToken = (ctx: Context, token: string) => {
    const { actor } = ctx;
    if (isUser(actor) || actor.caller === undefined) throw tokenInvalid();
    const { caller } = actor;
    return verified(`${caller} ${token}`, () => readOwnToken(ctx, caller, token));
  };
  return async (ctx: Context, token: string): Promise<Presented> => {
    const presented = isAccessToken(token)
      ? { actor: (await resolve(ctx, token)).actor }
      : await ownToken(ctx, token);
    if (!isUser(presented.actor)) throw tokenInvalid();
    return presented;
  };
}

async function readOwnToken({ query }: Context, caller: string, token: string): Promise<VerifiedToken> {
  try {
    return await readInternalToken(token, caller, createLocalJWKSet({ keys: await listedKeys(query) }));
  } catch (error) {
    if (error instanceof errors.JOSEError) throw tokenInvalid();
    throw error;
  }
}
