import { actorAt, countedAccount, isUser, signInternalToken } from '@crm/auth';
import { implement } from '@crm/service';
import type { KeyHolder } from '../keys/signing-key.ts';
import { actorApi } from './actor.api.ts';
import { standingDelegations } from './actor.queries.ts';
import { exchangeable } from './exchangeable.ts';
import { knownUsers } from './known-actors.ts';
import { type Credentials, resolverOf } from './resolve-token.ts';
import type { TokenUses } from './token-uses.ts';

interface ActorSettings {
  readonly keys: KeyHolder;
  readonly uses: TokenUses;
  readonly credentials: Credentials;
}

export function actorHandlers({ keys, uses, credentials }: ActorSettings) {
  const resolve = resolverOf(credentials, uses);
  const tokenOf = exchangeable(resolve);
  const usersOf = knownUsers();

  return implement(actorApi, {
    resolve: (ctx, { token }) => resolve(ctx, token),
    admit: async (ctx, { token, audience, address }) => {
      const actor = actorAt(await resolve(ctx, token), address);
      const internal_token = await signInternalToken({ actor }, audience, keys.current(), ctx.now());
      return { internal_token, account_id: countedAccount(actor) ?? null };
    },
    ofUsers: async ({ query }, { ids }) => (await usersOf(query, ids)).filter(isUser),
    standingDelegations: ({ query }, { ids }) => standingDelegations(query, ids),
    lend: async (ctx, { token, audience }) => {
      const presented = token === undefined ? { actor: ctx.actor } : await tokenOf(ctx, token);
      return { internal_token: await signInternalToken(presented, audience, keys.current(), ctx.now()) };
    },
  });
}
