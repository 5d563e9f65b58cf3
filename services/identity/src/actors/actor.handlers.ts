import { countedAccount, isUser } from '@crm/auth';
import { Refused } from '@crm/contract';
import { JsonText } from '@crm/data';
import { type Context, implement } from '@crm/service';
import type { z } from 'zod';
import type { KeyHolder } from '../keys/signing-key.ts';
import { actorApi } from './actor.api.ts';
import { standingDelegations, usersActedFor } from './actor.queries.ts';
import { exchangeable } from './exchangeable.ts';
import { knownUsers } from './known-actors.ts';
import { type Resolving, resolverOf } from './resolve-token.ts';
import { signingOnce } from './sign-once.ts';

type TokenRequest = z.output<typeof actorApi.admit.input>;

interface ActorSettings extends Resolving {
  readonly keys: KeyHolder;
}

export function actorHandlers({ keys, ...resolving }: ActorSettings) {
  const resolve = resolverOf(resolving);
  const tokenOf = exchangeable(resolve);
  const sign = signingOnce(keys);
  const usersOf = knownUsers();
  const admit = async (ctx: Context, { token, audience, address }: TokenRequest) => {
    const { actor, version } = await resolve(ctx, token);
    const internal_token = await sign({ actor }, { audience, address }, ctx.now());
    const user_id = isUser(actor) ? actor.id : null;
    return { internal_token, user_id, account_id: countedAccount(actor) ?? null, rights: version };
  };
  const admitOrNot = (ctx: Context, request: TokenRequest) =>
    admit(ctx, request).catch((error) => {
      if (error instanceof Refused && error.name === 'NotAuthenticated') return null;
      throw error;
    });

  return implement(actorApi, {
    resolve: async (ctx, { token }) => new JsonText((await resolve(ctx, token)).text),
    admit,
    admitTogether: (ctx, { requests }) => Promise.all(requests.map((request) => admitOrNot(ctx, request))),
    ofUsers: async ({ query }, { ids }) => (await usersOf(query, ids)).filter(isUser),
    standingDelegations: ({ query }, { ids }) => standingDelegations(query, ids),
    actedFor: ({ query }, { broker_user_id }) => usersActedFor(query, broker_user_id),
    lend: async (ctx, { token, audience }) => {
      const presented = token === undefined ? { actor: ctx.actor } : await tokenOf(ctx, token);
      return { internal_token: await sign(presented, { audience }, ctx.now()) };
    },
  });
}
