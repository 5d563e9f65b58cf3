import type { Caller } from '@crm/client';
import type { Backend } from './mount.ts';

interface Admitted {
  readonly internal_token: string;
  readonly account_id: number | null;
}

/**
 * A service in another process trusts no actor sent by the gateway, only one signed by identity, which believes the address
 * of a client from the gateway alone.
 */
export function admittedBy(identity: Caller, serviceToken: string): Backend['admit'] {
  return async (token, audience, { requestId, address }) => {
    const { text } = await identity({
      procedure: 'actors.admit',
      input: { token, audience, address },
      credential: { token: serviceToken },
      requestId,
    });
    const { internal_token, account_id } = JSON.parse(text) as Admitted;
    return { credential: { token: internal_token }, account: account_id ?? undefined };
  };
}
