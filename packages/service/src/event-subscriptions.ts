import type { Actor } from '@crm/auth';
import type { Envelope } from '@crm/client';
import { invalidField, Refused, tooManyAtOnce, unavailable } from '@crm/contract';
import type { Database } from '@crm/data';
import { type Commits, type Following, followOutbox, UnknownPosition } from '@crm/messaging';
import { type TrackedEnvelope, tracked } from '@trpc/server';
import { admit } from './call.ts';
import type { CallRuntime } from './call-context.ts';
import type { Procedure } from './procedure.ts';

/** Each queries the database up to ten times per second while there is something to send. */
const maxOpen = 20;

/** How often the credential is checked again. */
const recheckMs = 5_000;

export interface Subscriptions {
  /** Authorizes a subscription and returns its events. Throws a refusal like any call. */
  open(procedure: Procedure, envelope: Envelope, input: unknown, signal: AbortSignal): Promise<Events>;
  /** Ends all subscriptions in a way that makes their clients reconnect. */
  close(): void;
}

type Events = AsyncGenerator<TrackedEnvelope<unknown>>;

/** What is read from the input of every subscription to events; see `eventStream` of the contract. */
interface Wanted {
  readonly lastEventId?: string | null;
  readonly types?: readonly string[];
}

interface Subscribing extends Pick<CallRuntime, 'procedures' | 'authenticate' | 'log'> {
  /** Where the events are. */
  readonly pool: Database['pool'];
  readonly commits: Pick<Commits, 'subscribe'>;
}

/** The open subscriptions of this process to the events of a service. */
export function eventSubscriptions(runtime: Subscribing): Subscriptions {
  const closing = new AbortController();
  const begin = countOpen();
  const logged = async function* (events: Events, end: () => void, fields: object): Events {
    runtime.log.info(fields, 'subscription opened');
    try {
      yield* events;
    } finally {
      end();
      runtime.log.info(fields, 'subscription closed');
    }
  };
  return {
    async open(procedure, envelope, input, signal) {
      const { actor, input: wanted } = await admit(runtime, {
        ...envelope,
        procedure: procedure.name,
        input,
      });
      const end = begin(signal);
      const credential = watch(runtime, procedure, envelope);
      const following = {
        pool: runtime.pool,
        commits: runtime.commits,
        signal: AbortSignal.any([signal, closing.signal, credential.ended]),
      };
      try {
        const events = await eventsFor(following, wanted as Wanted, { credential, closing: closing.signal });
        const { requestId } = envelope;
        return logged(events, end, { procedure: procedure.name, requestId, ...callerOf(actor) });
      } catch (error) {
        end();
        throw error;
      }
    },
    close: () => closing.abort(),
  };
}

/** Counts subscriptions, each until its client has left or the returned function is called. Throws TooManyRequests. */
function countOpen() {
  const open = new Set<AbortSignal>();
  return (signal: AbortSignal) => {
    if (open.size >= maxOpen) throw tooManyAtOnce({ retryAfter: 10 });
    const end = () => open.delete(signal);
    if (signal.aborted) return end;
    open.add(signal);
    // A client that has left neither reads events nor notices that they end.
    signal.addEventListener('abort', end);
    return end;
  };
}

interface Ends {
  readonly credential: ReturnType<typeof watch>;
  readonly closing: AbortSignal;
}

async function eventsFor(
  following: Following,
  { lastEventId, types }: Wanted,
  { credential, closing }: Ends,
): Promise<Events> {
  const followed = await followOutbox(following, lastEventId ?? undefined).catch((error: unknown) => {
    throw error instanceof UnknownPosition ? invalidField('lastEventId', error.message) : error;
  });
  const subjects = types && new Set(types.map((name) => `crm.${name}`));
  return (async function* () {
    credential.start();
    let sent = lastEventId;
    try {
      for await (const { position, event } of followed) {
        if (event && subjects && !subjects.has(event.type)) continue;
        if (event) yield tracked(position, event as unknown);
        else if (position !== sent) yield tracked(position, null);
        sent = position;
      }
      if (credential.ended.aborted) throw credential.ended.reason;
      if (closing.aborted) throw unavailable({ retryAfter: 1 });
    } finally {
      credential.stop();
    }
  })();
}

const callerOf = (actor: Actor) => ('caller' in actor ? { caller: actor.caller } : {});

/**
 * Checks repeatedly whether a credential still allows a subscription. If identity does not respond, the subscription continues.
 */
function watch(runtime: Subscribing, { name }: Procedure, envelope: Envelope) {
  const ending = new AbortController();
  const { credential } = envelope;
  // Not with the actor, which was resolved when the subscription began.
  const again = credential?.token === undefined ? undefined : { token: credential.token };
  let timer: NodeJS.Timeout | undefined;
  const check = async () => {
    try {
      await admit(runtime, {
        ...envelope,
        credential: again,
        deadline: undefined,
        procedure: name,
        input: {},
      });
    } catch (error) {
      const isOver =
        error instanceof Refused && (error.name === 'NotAuthenticated' || error.name === 'Forbidden');
      if (isOver) ending.abort(error);
    }
  };
  return {
    ended: ending.signal,
    start() {
      timer = setInterval(check, recheckMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}
