import { createHmac } from 'node:crypto';
import { proceduresOf, type ServiceDefinition } from '@crm/service';
import { actorHandlers } from './actors/actor.handlers.ts';
import { tokenUses } from './actors/token-uses.ts';
import { identityApi } from './api.ts';
import { keyHandlers } from './keys/key.handlers.ts';
import { keyHolder } from './keys/signing-key.ts';
import { meHandlers } from './me/me.handlers.ts';
import { identityStore } from './store.ts';
import { subAccountHandlers } from './sub-accounts/sub-account.handlers.ts';
import { teamMemberHandlers } from './team-members/team-member.handlers.ts';
import { teamHandlers } from './teams/team.handlers.ts';
import { tokenHandlers } from './tokens/token.handlers.ts';
import { userHandlers } from './users/user.handlers.ts';

interface Secrets {
  /**
   * What lets the crm command act as the system, and what the tokens of sub-accounts are derived from: with
   * another one, those that were made do not work any more.
   */
  readonly operatorToken: string;
  /** What the other services show when they ask one another. */
  readonly serviceToken: string;
}

/** The service that knows who everyone is. */
export function identityService({ operatorToken, serviceToken }: Secrets): ServiceDefinition {
  const subAccountKey = createHmac('sha256', operatorToken).update('tokens of sub-accounts').digest('hex');
  const keys = keyHolder();
  const uses = tokenUses();
  return {
    name: 'identity',
    contract: identityApi,
    procedures: proceduresOf(identityApi, {
      actors: actorHandlers({ keys, uses, systemTokens: [operatorToken, serviceToken] }),
      keys: keyHandlers,
      me: meHandlers,
      subAccounts: subAccountHandlers({ key: subAccountKey }),
      teamMembers: teamMemberHandlers,
      teams: teamHandlers,
      tokens: tokenHandlers,
      users: userHandlers({ key: subAccountKey }),
    }),
    store: identityStore,
    subscriptions: [],
    workers: [keys.worker, uses.worker],
  };
}
