import type { CallService, Credential } from '@crm/client';
import { Refused } from '@crm/contract';
import { type Asking, askIdentity } from './ask-identity.ts';

/** Half of the lifetime of an internal token, so that none expires in transit. */
const reusedMs = 15_000;

/** Asks identity to sign an internal token, for the holder of a service token or in exchange for the token of a user. */
type Lend = (
  input: { readonly audience: string; readonly token?: string },
  asking: Omit<Asking, 'token'>,
) => Promise<string>;

export function lender(identity: CallService, serviceToken: string): Lend {
  return async (input, { requestId, deadline }) => {
    const asking = { requestId, deadline, token: serviceToken };
    const text = await askIdentity(identity, 'actors.lend', input, asking);
    return (JSON.parse(text) as { internal_token: string }).internal_token;
  };
}

/**
 * The credential with which the holder of a service token calls a service as itself, reused for some seconds. A service token
 * that identity does not know is a fault of the system, not of the client that is waiting for the response.
 */
export function ownCredentials(identity: CallService, serviceToken: string) {
  const lend = unlessRefused(lender(identity, serviceToken));
  const issued = new Map<string, { readonly token: Promise<string>; readonly at: number }>();
  return async (audience: string, requestId: string): Promise<Credential> => {
    const known = issued.get(audience);
    if (known && performance.now() - known.at < reusedMs) return { token: await known.token };
    // Other calls wait for it too, so it gets the time limit of any request.
    const token = lend({ audience }, { requestId });
    issued.set(audience, { token, at: performance.now() });
    token.catch(() => issued.delete(audience));
    return { token: await token };
  };
}

function unlessRefused(lend: Lend): Lend {
  return (input, origin) =>
    lend(input, origin).catch((error: unknown) => {
      if (!(error instanceof Refused) || error.name !== 'NotAuthenticated') throw error;
      throw new Error('Identity does not know the SERVICE_TOKEN of this process.', { cause: error });
    });
}
