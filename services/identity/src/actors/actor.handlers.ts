import { createHash, timingSafeEqual } from 'node:crypto';
import { type Actor, hashOfToken, isAccessToken, isUser, signInternalToken, system } from '@crm/auth';
import { type Context, implement, invalidToken } from '@crm/service';
import type { KeyHolder } from '../keys/signing-key.ts';
import { actorApi } from './actor.api.ts';
import { actorByTokenHash, actorsByUserId } from './actor.queries.ts';
import type { TokenUses } from './token-uses.ts';

interface ActorSettings {
  readonly keys: KeyHolder;
  readonly uses: TokenUses;
  /** Whoever presents one of them acts as the system: the crm command and the other services. */
  readonly systemTokens: readonly string[];
}

export function actorHandlers({ keys, uses, systemTokens }: ActorSettings) {
  async function resolve(ctx: Context, token: string): Promise<Actor> {
    if (systemTokens.some((secret) => isSame(token, secret))) return system;
    const found = isAccessToken(token) ? await actorByTokenHash(ctx.query, hashOfToken(token)) : undefined;
    if (!found) throw invalidToken();
    uses.note(found.tokenId, ctx.now());
    return found.actor;
  }

  return implement(actorApi, {
    resolve: (ctx, { token }) => resolve(ctx, token),
    admit: async (ctx, { token, audience }) => {
      const actor = await resolve(ctx, token);
      return { internal_token: await signInternalToken(actor, audience, keys.current(), ctx.now()) };
    },
    ofUsers: async ({ query }, { ids }) => (await actorsByUserId(query, ids)).filter(isUser),
    lend: async (ctx, { actor, audience }) => ({
      internal_token: await signInternalToken(actor, audience, keys.current(), ctx.now()),
    }),
  });
}

/** In constant time: both are hashed first, so that their lengths are equal too. */
function isSame(token: string, secret: string): boolean {
  const [a, b] = [token, secret].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
