import { countedAccount, isUser } from '@crm/auth';
import { JsonText } from '@crm/data';
import { implement } from '@crm/service';
import type { KeyHolder } from '../keys/signing-key.ts';
import { actorApi } from './actor.api.ts';
import { standingDelegations } from './actor.queries.ts';
import { exchangeable } from './exchangeable.ts';
import { knownUsers } from './known-actors.ts';
import { type Credentials, resolverOf } from './resolve-token.ts';
import { signingOnce } from './sign-once.ts';
import type { TokenUses } from './token-uses.ts';

interface ActorSettings {
  readonly keys: KeyHolder;
  readonly uses: TokenUses;
  readonly credentials: Credentials;
}

export function actorHandlers({ keys, uses, credentials }: ActorSettings) {
  const resolve = resolverOf(credentials, uses);
  const tokenOf = exchangeable(resolve);
  const sign = signingOnce(keys);
  const usersOf = knownUsers();

  return implement(actorApi, {
    resolve: async (ctx, { token }) => new JsonText((await resolve(ctx, token)).text),
    admit: async (ctx, { token, audience, address }) => {
      const { actor, version } = await resolve(ctx, token);
      const internal_token = await sign({ actor }, { audience, address }, ctx.now());
      const user_id = isUser(actor) ? actor.id : null;
      return { internal_token, user_id, account_id: countedAccount(actor) ?? null, rights: version };
    },
    ofUsers: async ({ query }, { ids }) => (await usersOf(query, ids)).filter(isUser),
    standingDelegations: ({ query }, { ids }) => standingDelegations(query, ids),
    lend: async (ctx, { token, audience }) => {
      const presented = token === undefined ? { actor: ctx.actor } : await tokenOf(ctx, token);
      return { internal_token: await sign(presented, { audience }, ctx.now()) };
    },
  });
}
