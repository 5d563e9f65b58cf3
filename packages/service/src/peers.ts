import { type Actor, isUser, type User } from '@crm/auth';
import { type CallService, type Client, type Credential, clientOver } from '@crm/client';
import type { Contract } from '@crm/contract';
import { lender, ownCredentials } from './own-credentials.ts';

/** How other services are called, and how they authenticate the caller. */
export interface Peers {
  readonly services: Readonly<Record<string, CallService>>;
  /** The credential with which this service acts as the system there. */
  readonly asSystem: (service: string, requestId: string) => Promise<Credential>;
  /** The credential of the user who calls this service, for another one. */
  readonly onBehalf: (
    caller: ServiceCaller & Omit<PeerContext, 'peers'>,
    service: string,
  ) => Promise<Credential>;
}

/** The caller of this service and the credential that it presented. */
interface ServiceCaller {
  readonly actor: Actor;
  readonly credential: Credential;
}

/** The caller of a peer: the context of a request, or a worker with its own request id. */
export interface PeerContext {
  readonly peers: Peers;
  readonly requestId: string;
  readonly deadline?: number | undefined;
}

/** Services in this process trust an actor as it is. */
export function linkedPeers(services: Readonly<Record<string, CallService>>, name: string): Peers {
  return {
    services,
    asSystem: async () => ({ actor: { system: true, caller: name } }),
    onBehalf: async (caller) => ({ actor: userOf(caller) }),
  };
}

/**
 * Services in other processes trust tokens signed by identity. It signs them for callers with the token of a service:
 * for the service itself, reused for some seconds, or for a user in exchange for the token that the user's call came with.
 */
export function remotePeers(
  services: Readonly<Record<string, CallService>>,
  identity: CallService,
  serviceToken: string,
): Peers {
  const lend = lender(identity, serviceToken);
  return {
    services,
    asSystem: ownCredentials(identity, serviceToken),
    onBehalf: async (caller, audience) => {
      userOf(caller);
      const token = caller.credential?.token;
      if (token === undefined) throw new Error('The caller has presented no token that could be exchanged.');
      return { token: await lend({ audience, token }, caller) };
    },
  };
}

/** This service does not act for another service that calls as the system: that one would get the rights of this service. */
function userOf({ actor }: ServiceCaller): User {
  if (isUser(actor)) return actor;
  throw new Error('Only a user can be acted for.');
}

const inTransaction = () => {
  throw new Error('Peers cannot be called inside a transaction.');
};

/** Peers cannot be called inside a transaction, because locks must not depend on the response time of a service. */
export const noPeers: Peers = {
  get services(): never {
    return inTransaction();
  },
  asSystem: async () => inTransaction(),
  onBehalf: async () => inTransaction(),
};

/** A typed client of another service, derived from its contract alone. Throws `Refused` for its errors. */
export function peer<C extends Contract>(service: string, contract: C) {
  const clientFor = (
    { peers, requestId, deadline }: PeerContext,
    authenticate: (peers: Peers) => Promise<Credential>,
  ): Client<C> => {
    const send: CallService = async (call) => {
      const callService = peers.services[service];
      if (!callService) throw new Error(`This service does not list "${service}" in its needs.`);
      const credential = await authenticate(peers);
      return callService({ ...call, requestId, deadline, credential });
    };
    return clientOver(contract, send, undefined);
  };
  return {
    /** Calls with the rights of the user who calls this service. */
    onBehalf: (ctx: PeerContext & ServiceCaller) => clientFor(ctx, (peers) => peers.onBehalf(ctx, service)),
    /** Calls as this service itself, which sees everything. Callers must check who may see the result. */
    asSystem: (ctx: PeerContext) => clientFor(ctx, (peers) => peers.asSystem(service, ctx.requestId)),
  };
}
