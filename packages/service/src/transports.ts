import type { Actor } from '@crm/auth';
import {
  bearerTokenIn,
  type CallService,
  callHeaders,
  deadlineOf,
  type Envelope,
  preferencesIn,
  requestIdOf,
} from '@crm/client';
import type { FastifyRequest } from 'fastify';
import type { Authenticate } from './call-context.ts';
import type { Subscriptions } from './event-subscriptions.ts';
import type { Logger } from './log.ts';
import type { Procedure } from './procedure.ts';

export interface Transports {
  readonly procedures: ReadonlyMap<string, Procedure>;
  readonly call: CallService;
  readonly subscriptions: Subscriptions;
  readonly authenticate: Authenticate;
  readonly log: Logger;
}

/** Whether anyone may call: raw requests only come from the gateway. */
export const isOpenTo = ({ operation }: Procedure): boolean => operation.for === 'anyone' && !operation.web;

/** The actors of requests that were authenticated before their body was read. */
const actors = new WeakMap<FastifyRequest, Actor>();

export async function authenticateFirst(request: FastifyRequest, { authenticate }: Transports) {
  const { credential, requestId, deadline } = envelopeOf(request);
  actors.set(request, await authenticate(credential, requestId, deadline));
}

function envelopeOf({ headers }: FastifyRequest): Envelope {
  const token = bearerTokenIn(headers);
  const key = headers[callHeaders.idempotencyKey];
  const ifMatch = headers[callHeaders.ifMatch];
  const traceparent = headers[callHeaders.traceparent];
  return {
    credential: token === undefined ? undefined : { token },
    requestId: requestIdOf(headers[callHeaders.requestId]),
    traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    idempotencyKey: typeof key === 'string' ? key : undefined,
    ifMatch: typeof ifMatch === 'string' ? ifMatch : undefined,
    dryRun: headers[callHeaders.dryRun] === 'true',
    deadline: deadlineOf(headers[callHeaders.timeLeft]),
    strict: preferencesIn(headers).strict,
  };
}

/** The envelope with the actor as credential, if the request was authenticated before its body was read. */
export function authenticatedEnvelopeOf(request: FastifyRequest): Envelope {
  const { credential, ...envelope } = envelopeOf(request);
  const actor = actors.get(request);
  return { ...envelope, credential: actor ? { actor, ...credential } : credential };
}
