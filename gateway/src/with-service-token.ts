import { batched, type CallService } from '@crm/client';
import { Refused } from '@crm/contract';
import { askIdentity, ownCredentials } from '@crm/service/process';
import { isRecorded } from '@crm/telemetry';
import type { Backend, RequestOrigin } from './backend.ts';

/** Identity's response about a valid token. */
interface AdmittedToken {
  readonly internal_token: string;
  readonly account_id: number | null;
  /** Missing in responses of an older version. */
  readonly user_id?: number | null;
  readonly rights?: string;
}

interface TokenRequest {
  readonly token: string;
  readonly audience: string;
  readonly from: RequestOrigin;
}

/**
 * How a gateway in a separate process authenticates. A service there trusts no actor from the gateway, only one signed by
 * identity, which accepts a client's address from the gateway alone.
 */
export function withServiceToken(
  identity: CallService,
  serviceToken: string,
): Pick<Backend, 'admit' | 'asGateway'> {
  const asGateway = ownCredentials(identity, serviceToken);
  const ask = async (procedure: string, input: unknown, { requestId }: RequestOrigin) => {
    const text = await askIdentity(identity, procedure, input, { requestId, token: serviceToken });
    return JSON.parse(text) as unknown;
  };
  const askAlone = async (request: TokenRequest) => {
    try {
      return (await ask('actors.admit', inputOf(request), request.from)) as AdmittedToken;
    } catch (error) {
      // A client must not discard its token because the gateway's own is wrong. This call fails if it is.
      if (error instanceof Refused && error.name === 'NotAuthenticated')
        await asGateway('identity', request.from.requestId);
      throw error;
    }
  };
  const askTogether = askingTogether(ask, askAlone);
  const admit: Backend['admit'] = async (token, audience, from) => {
    const { internal_token, user_id, account_id, rights } = await askTogether({ token, audience, from });
    const credential = { token: internal_token };
    return { credential, user: user_id ?? undefined, account: account_id ?? undefined, rights };
  };
  return { admit, asGateway };
}

const inputOf = ({ token, audience, from: { address } }: TokenRequest) => ({ token, audience, address });

/**
 * Requests that arrive while identity is being asked are combined into one call, because a call costs both processes more than
 * its contents. A token that is not admitted there is asked for separately to learn why, and so are all of them if identity
 * refused the call.
 */
const askingTogether = (
  ask: (procedure: string, input: unknown, from: RequestOrigin) => Promise<unknown>,
  askAlone: (request: TokenRequest) => Promise<AdmittedToken>,
) =>
  batched<TokenRequest, Promise<AdmittedToken>>(
    async (all) => {
      const [first, ...others] = all;
      const together = async (from: RequestOrigin) =>
        (await ask('actors.admitTogether', { requests: all.map(inputOf) }, from)) as (AdmittedToken | null)[];
      const found = first && others.length > 0 ? await together(first.from).catch(unlessUnavailable) : [];
      const admitted = all.map(async (request, at) => found[at] ?? askAlone(request));
      await Promise.allSettled(admitted);
      return admitted;
    },
    // A traced request asks alone, so that its trace is complete and has no part in others.
    { isShared: () => true, patienceMs: 100, isAlone: isRecorded },
  );

/** Asking again would double the waiting time of all, and the load of a service that cannot respond. */
function unlessUnavailable(error: unknown): [] {
  if (error instanceof Refused && error.name === 'Unavailable') throw error;
  return [];
}
