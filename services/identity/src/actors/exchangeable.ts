import { isAccessToken, isUser, readInternalToken, type VerifiedToken } from '@crm/auth';
import { tokenInvalid } from '@crm/contract';
import type { Context } from '@crm/service';
import { createLocalJWKSet, errors } from 'jose';
import { listedKeys } from '../keys/key.queries.ts';
import type { Resolve } from './resolve-token.ts';

/**
 * What a token proves that a service has received and wants to exchange. Only the token of a user is exchanged: an access
 * token, or an internal one that identity has signed for the service that presents it. So a service can act for those who
 * call it, and for nobody else. Throws NotAuthenticated.
 */
export function exchangeable(resolve: Resolve) {
  return async (
    ctx: Context,
    token: string,
  ): Promise<Partial<VerifiedToken> & Pick<VerifiedToken, 'actor'>> => {
    const presented = isAccessToken(token)
      ? { actor: await resolve(ctx, token) }
      : await readOwnToken(ctx, token);
    if (!isUser(presented.actor)) throw tokenInvalid();
    return presented;
  };
}

async function readOwnToken({ actor, query }: Context, token: string): Promise<VerifiedToken> {
  if (isUser(actor) || actor.caller === undefined) throw tokenInvalid();
  try {
    return await readInternalToken(token, actor.caller, createLocalJWKSet({ keys: await listedKeys(query) }));
  } catch (error) {
    if (error instanceof errors.JOSEError) throw tokenInvalid();
    throw error;
  }
}
