import { countedAccount, isUser } from '@crm/auth';
import type { CallService } from '@crm/client';
import { resolveActor, type TokenOrigin } from './authenticate.ts';

/**
 * How a gateway that runs in the process of all services admits a token: they trust an actor as it is. Throws NotAuthenticated.
 */
export const linkedAdmission =
  (identity: CallService) => async (token: string, _service: string, from: TokenOrigin) => {
    const { actor, rights } = await resolveActor(identity, token, from);
    const user = isUser(actor) ? actor.id : undefined;
    return { credential: { actor }, user, account: countedAccount(actor), rights };
  };
