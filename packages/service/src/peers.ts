import { type Actor, isUser, system } from '@crm/auth';
import { type Caller, type Client, type Credential, clientOver } from '@crm/client';
import type { Contract } from '@crm/contract';

/** How other services are reached, and what they believe about who asks. */
export interface Peers {
  readonly callers: Readonly<Record<string, Caller>>;
  /** What a service will believe in place of an actor that was resolved here. */
  readonly vouch: (actor: Actor, service: string, requestId: string) => Promise<Credential>;
}

/** Whoever asks a peer: the context of a request, or a worker with an id of its own. */
export interface PeerContext {
  readonly peers: Peers;
  readonly requestId: string;
}

/** Services in this process believe an actor as it is. */
export function linkedPeers(callers: Readonly<Record<string, Caller>>): Peers {
  return { callers, vouch: async (actor) => ({ actor }) };
}

/** Half of the life of an internal token, so that none expires on its way. */
const reusedMs = 15_000;

/**
 * Services in other processes believe what identity has signed. It signs for those that hold the service token.
 * What lets the system itself ask is used again for some seconds; what speaks for a user is made for each call.
 */
export function remotePeers(
  callers: Readonly<Record<string, Caller>>,
  identity: Caller,
  serviceToken: string,
): Peers {
  const lent = new Map<string, { readonly token: Promise<string>; readonly at: number }>();
  const lend = async (actor: Actor, audience: string, requestId: string) => {
    const { text } = await identity({
      procedure: 'actors.lend',
      input: { actor, audience },
      credential: { token: serviceToken },
      requestId,
    });
    return (JSON.parse(text) as { internal_token: string }).internal_token;
  };
  const forSystem = (audience: string, requestId: string) => {
    const known = lent.get(audience);
    if (known && performance.now() - known.at < reusedMs) return known.token;
    const token = lend(system, audience, requestId);
    lent.set(audience, { token, at: performance.now() });
    token.catch(() => lent.delete(audience));
    return token;
  };
  return {
    callers,
    vouch: async (actor, service, requestId) => ({
      token: await (isUser(actor) ? lend(actor, service, requestId) : forSystem(service, requestId)),
    }),
  };
}

/** Inside a transaction nobody is asked: a lock must not be held while another service thinks. */
export const noPeers: Peers = {
  get callers(): never {
    throw new Error('No other service is asked inside a transaction.');
  },
  vouch: async () => {
    throw new Error('No other service is asked inside a transaction.');
  },
};

/** Another service as this one asks it, typed from its contract alone. Throws `Refused` for what it says no to. */
export function peer<C extends Contract>(service: string, contract: C) {
  const clientFor = ({ peers, requestId }: PeerContext, actor: Actor): Client<C> => {
    const { callers, vouch } = peers;
    const ask: Caller = async (call) => {
      const caller = callers[service];
      if (!caller) throw new Error(`This service does not list ${service} among its needs.`);
      return caller({ ...call, requestId, credential: await vouch(actor, service, requestId) });
    };
    return clientOver(contract, ask, undefined);
  };
  return {
    /** With the rights of whoever asked this service. */
    onBehalf: (ctx: PeerContext & { readonly actor: Actor }) => clientFor(ctx, ctx.actor),
    /** With the rights of the system, which sees everything: what comes back is shown only to who may see it. */
    asSystem: (peers: PeerContext) => clientFor(peers, system),
  };
}
