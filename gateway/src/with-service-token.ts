import { type Caller, deadlineWithin } from '@crm/client';
import { Refused } from '@crm/contract';
import { identityMs, ownCredentials } from '@crm/service/process';
import type { Backend } from './backend.ts';

interface Admitted {
  readonly internal_token: string;
  readonly account_id: number | null;
  /** Missing in what an instance of an older version sends. */
  readonly user_id?: number | null;
  readonly rights?: string;
}

/**
 * How a gateway in a process of its own authenticates. A service there trusts no actor sent by the gateway, only one signed
 * by identity, which believes the address of a client from the gateway alone.
 */
export function withServiceToken(
  identity: Caller,
  serviceToken: string,
): Pick<Backend, 'admit' | 'asGateway'> {
  const asGateway = ownCredentials(identity, serviceToken);
  const admit: Backend['admit'] = async (token, audience, { requestId, address }) => {
    try {
      const { text } = await identity({
        procedure: 'actors.admit',
        input: { token, audience, address },
        credential: { token: serviceToken },
        requestId,
        mayRepeat: true,
        deadline: deadlineWithin(identityMs),
      });
      const { internal_token, user_id, account_id, rights } = JSON.parse(text) as Admitted;
      const credential = { token: internal_token };
      return { credential, user: user_id ?? undefined, account: account_id ?? undefined, rights };
    } catch (error) {
      // A client must not throw its token away because that of the gateway is wrong. This fails if it is.
      if (error instanceof Refused && error.name === 'NotAuthenticated')
        await asGateway('identity', requestId);
      throw error;
    }
  };
  return { admit, asGateway };
}
