import { batched, type CallService } from '@crm/client';
import { Refused } from '@crm/contract';
import { askIdentity, ownCredentials } from '@crm/service/process';
import { isRecorded } from '@crm/telemetry';
import type { Backend, RequestOrigin } from './backend.ts';

/** What identity answers about a token that is valid. */
interface AdmittedToken {
  readonly internal_token: string;
  readonly account_id: number | null;
  /** Missing in what an instance of an older version sends. */
  readonly user_id?: number | null;
  readonly rights?: string;
}

interface TokenRequest {
  readonly token: string;
  readonly audience: string;
  readonly from: RequestOrigin;
}

/**
 * How a gateway in a process of its own authenticates. A service there trusts no actor sent by the gateway, only one signed
 * by identity, which believes the address of a client from the gateway alone.
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
      // A client must not throw its token away because that of the gateway is wrong. This fails if it is.
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
 * Requests that arrive while identity is asked for others are asked for together: a call costs both processes more than
 * what it is about. Whoever is not admitted then is asked for alone, which tells why, and so are all if identity
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
    // So that a trace is whole, and has no part in others.
    { isShared: () => true, patienceMs: 100, isAlone: isRecorded },
  );

/** To ask again would double the wait of all, and the load of what cannot respond. */
function unlessUnavailable(error: unknown): [] {
  if (error instanceof Refused && error.name === 'Unavailable') throw error;
  return [];
}
