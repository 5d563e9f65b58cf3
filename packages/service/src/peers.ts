import { type Actor, isUser, system } from '@crm/auth';
import { type Caller, type Client, type Credential, clientOver } from '@crm/client';
import type { Contract } from '@crm/contract';

/** How other services are called, and how they authenticate the caller. */
export interface Peers {
  readonly callers: Readonly<Record<string, Caller>>;
  /** Converts an actor that was resolved here to a credential that the service trusts. */
  readonly vouch: (actor: Actor, service: string, requestId: string) => Promise<Credential>;
}

/** The caller of a peer: the context of a request, or a worker with its own request id. */
export interface PeerContext {
  readonly peers: Peers;
  readonly requestId: string;
}

/** Services in this process trust an actor as it is. */
export function linkedPeers(callers: Readonly<Record<string, Caller>>): Peers {
  return { callers, vouch: async (actor) => ({ actor }) };
}

/** Half of the lifetime of an internal token, so that none expires on its way. */
const reusedMs = 15_000;

/**
 * Services in other processes trust tokens signed by identity, which signs them for callers with the service token. Tokens
 * of the system are reused for some seconds; those of users are requested for each call.
 */
export function remotePeers(
  callers: Readonly<Record<string, Caller>>,
  identity: Caller,
  serviceToken: string,
): Peers {
  const issued = new Map<string, { readonly token: Promise<string>; readonly at: number }>();
  const issue = async (actor: Actor, audience: string, requestId: string) => {
    const { text } = await identity({
      procedure: 'actors.lend',
      input: { actor, audience },
      credential: { token: serviceToken },
      requestId,
    });
    return (JSON.parse(text) as { internal_token: string }).internal_token;
  };
  const forSystem = (audience: string, requestId: string) => {
    const known = issued.get(audience);
    if (known && performance.now() - known.at < reusedMs) return known.token;
    const token = issue(system, audience, requestId);
    issued.set(audience, { token, at: performance.now() });
    token.catch(() => issued.delete(audience));
    return token;
  };
  return {
    callers,
    vouch: async (actor, service, requestId) => ({
      token: await (isUser(actor) ? issue(actor, service, requestId) : forSystem(service, requestId)),
    }),
  };
}

/** Peers cannot be called inside a transaction, because locks must not depend on the response time of a service. */
export const noPeers: Peers = {
  get callers(): never {
    throw new Error('Peers cannot be called inside a transaction.');
  },
  vouch: async () => {
    throw new Error('Peers cannot be called inside a transaction.');
  },
};

/** A typed client of another service, derived from its contract alone. Throws `Refused` for its errors. */
export function peer<C extends Contract>(service: string, contract: C) {
  const clientFor = ({ peers, requestId }: PeerContext, actor: Actor): Client<C> => {
    const { callers, vouch } = peers;
    const send: Caller = async (call) => {
      const caller = callers[service];
      if (!caller) throw new Error(`This service does not list "${service}" in its needs.`);
      return caller({ ...call, requestId, credential: await vouch(actor, service, requestId) });
    };
    return clientOver(contract, send, undefined);
  };
  return {
    /** Calls with the rights of the caller of this service. */
    onBehalf: (ctx: PeerContext & { readonly actor: Actor }) => clientFor(ctx, ctx.actor),
    /** Calls with the rights of the system, which sees everything. Callers must check who may see the result. */
    asSystem: (peers: PeerContext) => clientFor(peers, system),
  };
}
