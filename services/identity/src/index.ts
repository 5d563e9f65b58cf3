import { proceduresOf, type ServiceDefinition } from '@crm/service';
import { actorHandlers } from './actors/actor.handlers.ts';
import { tokenUses } from './actors/token-uses.ts';
import { identityApi } from './api.ts';
import { keyHandlers } from './keys/key.handlers.ts';
import { keyHolder } from './keys/signing-key.ts';
import { meHandlers } from './me/me.handlers.ts';
import { identityStore } from './store.ts';
import { tokenHandlers } from './tokens/token.handlers.ts';
import { userHandlers } from './users/user.handlers.ts';

/** The service that knows who everyone is. The operator's token lets the crm command act as the system. */
export function identityService({ operatorToken }: { readonly operatorToken: string }): ServiceDefinition {
  const keys = keyHolder();
  const uses = tokenUses();
  return {
    name: 'identity',
    contract: identityApi,
    procedures: proceduresOf(identityApi, {
      actors: actorHandlers({ keys, uses, operatorToken }),
      keys: keyHandlers,
      me: meHandlers,
      tokens: tokenHandlers,
      users: userHandlers,
    }),
    store: identityStore,
    subscriptions: [],
    workers: [keys.worker, uses.worker],
  };
}
