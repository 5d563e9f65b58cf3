import { type Actor, actingName, actorName, gateway, isAccessToken, isUser } from '@crm/auth';
import { type Answer, type Call, type CallService, deadlineIn, demandTimeLeft } from '@crm/client';
import {
  forbidden,
  type Operation,
  onlyInPerson,
  type RefusalName,
  scopeMissing,
  scopeOf,
  unknownProcedure,
} from '@crm/contract';
import { durations, type SpanFacts, type SpanOrigin, traced } from '@crm/telemetry';
import { textOf } from './answer-text.ts';
import { auditRead } from './audit.ts';
import {
  type AdmittedCall,
  type CallRuntime,
  contextOutside,
  longestWaitMs,
  nobody,
} from './call-context.ts';
import { refusalIn } from './classify-error.ts';
import { originOf } from './log.ts';
import { mutate } from './mutate.ts';
import type { Procedure } from './procedure.ts';
import { readInput } from './read-input.ts';

/** The only entry to a service: authentication, scope, input, transaction and handler, in this order for all operations. */
export function entryTo(runtime: CallRuntime): CallService {
  const logCall = callLogger(runtime);
  const carryOutLogged: CallService = async (call) => {
    const began = performance.now();
    let actor: Actor | undefined;
    try {
      const identified = await identify(runtime, call);
      actor = identified.actor;
      const answer = await carryOut(runtime, admittedCallOf(call, identified));
      const level = isLoggedAtInfo(call, identified.procedure) ? 'info' : 'debug';
      logCall(call, { began, actor, outcome: outcomeOf(call, answer), level });
      return answer;
    } catch (error) {
      const refused = refusalIn(error);
      const cause = refused?.cause;
      const level = cause === undefined ? 'info' : 'warn';
      logCall(call, { began, actor, outcome: refused?.name ?? 'fault', level, cause });
      throw refused ?? error;
    }
  };
  return (call) =>
    traced(
      () => spanOf(runtime, call),
      () => carryOutLogged(call),
      spanOriginOf(call),
    );
}

type Success = 'done' | 'replayed' | 'tried';

interface CallOutcome {
  readonly began: number;
  /** Undefined if nobody was authenticated. */
  readonly actor: Actor | undefined;
  readonly outcome: Success | RefusalName | 'fault';
  readonly level: 'debug' | 'info' | 'warn';
  readonly cause?: unknown;
}

/** Returns a function that logs and measures a call that has ended. */
function callLogger({ name, procedures, log }: CallRuntime) {
  const measure = durations('rpc.server.call.duration');
  return ({ procedure, requestId }: Call, { began, actor, outcome, level, cause }: CallOutcome) => {
    const took = performance.now() - began;
    const ms = Math.round(took * 100) / 100;
    const who = actor && actor !== nobody ? { user: actorName(actor), act: actingName(actor) } : undefined;
    const why = cause === undefined ? undefined : { cause: originOf(cause) };
    log[level]({ procedure, requestId, ...who, ms, outcome, ...why }, 'call');
    const method = procedures.has(procedure) ? procedure : 'unknown';
    measure(took, { 'crm.service': name, 'rpc.method': method, 'crm.outcome': outcome });
  };
}

/**
 * A call from another process belongs to the trace of its caller, if it names one. A client that calls a service with the token
 * of a user, and not through the gateway, begins a trace. Traces of the gateway and of services have begun before, or are not
 * recorded.
 */
function spanOriginOf({ traceparent, credential }: Call): SpanOrigin {
  if (traceparent !== undefined) return { causes: () => [{ traceparent }] };
  return { mayBegin: () => credential?.token !== undefined && isAccessToken(credential.token) };
}

/**
 * Whether a successful call gets its own line at level info. The gateway already logs the user's request, so reads and
 * internal calls made for it are logged at debug.
 */
function isLoggedAtInfo({ credential }: Call, { operation }: Procedure): boolean {
  if (operation.rest === undefined) return false;
  return (
    operation.kind === 'mutation' || (credential?.token !== undefined && isAccessToken(credential.token))
  );
}

function spanOf(
  { name, procedures }: CallRuntime,
  { procedure, requestId, traceparent, idempotencyKey }: Call,
): SpanFacts {
  return {
    name: `${name} ${procedure}`,
    kind: traceparent === undefined ? 'internal' : 'server',
    attributes: {
      'rpc.system.name': 'trpc',
      'rpc.method': procedures.has(procedure) ? procedure : 'unknown',
      'crm.service': name,
      'crm.request_id': requestId,
      ...(idempotencyKey !== undefined && { 'crm.idempotent': true }),
    },
    isExpected: (error) => refusalIn(error) !== undefined,
  };
}

/** A dry run is not done. */
function outcomeOf({ dryRun }: Call, { replayed }: Answer): Success {
  if (replayed) return 'replayed';
  return dryRun ? 'tried' : 'done';
}

const carryOut = (runtime: CallRuntime, call: AdmittedCall): Promise<Answer> =>
  call.procedure.operation.kind === 'mutation' ? mutate(runtime, call) : read(runtime, call);

/** Authenticates and authorizes a call and reads its input. Throws a refusal. */
export const admit = async (runtime: Admitting, call: Call): Promise<AdmittedCall> =>
  admittedCallOf(call, await identify(runtime, call));

type Admitting = Pick<CallRuntime, 'procedures' | 'authenticate'>;
type Identified = Pick<AdmittedCall, 'procedure' | 'actor'>;

/** Finds the procedure and the caller. Throws a refusal. */
async function identify(runtime: Admitting, call: Call): Promise<Identified> {
  const procedure = runtime.procedures.get(call.procedure);
  if (!procedure) throw unknownProcedure({ message: `Unknown procedure "${call.procedure}".` });
  demandTimeLeft(call);
  return { procedure, actor: await actorOf(runtime, procedure.operation, call) };
}

/** Throws a refusal if the caller may not make the call or its input is invalid. */
function admittedCallOf(call: Call, { procedure, actor }: Identified): AdmittedCall {
  const { operation } = procedure;
  demandAccess(operation, actor);
  const input = readInput(operation, call.input, call.strict ?? false);
  return { ...call, procedure, actor, input, waitsUntil: deadlineIn(longestWaitMs) };
}

/** Raw requests are trusted only from the gateway: any other sender could invent the address of the client. */
async function actorOf(runtime: Admitting, { for: audience, web }: Operation, call: Call): Promise<Actor> {
  if (audience === 'anyone' && !web) return nobody;
  const actor = await runtime.authenticate(call.credential, call.requestId, call.deadline);
  if (!web) return actor;
  if (isUser(actor) || actor.caller !== gateway.caller) throw forbidden();
  return nobody;
}

function demandAccess(operation: Operation, actor: Actor) {
  if (operation.for === 'anyone') return;
  if (operation.for === 'system') {
    if (isUser(actor) || !operation.callers?.some((name) => name === actor.caller)) throw forbidden();
    return;
  }
  if (!isUser(actor)) throw forbidden({ message: 'This operation requires a user.' });
  if (actor.act && operation.personal) throw onlyInPerson();
  const scope = scopeOf(operation);
  if (actor.scopes.includes('write') || actor.scopes.includes(scope)) return;
  throw scopeMissing({
    message: `This access token does not have the scope ${scope}.`,
    errors: { scope },
  });
}

async function read(runtime: CallRuntime, call: AdmittedCall): Promise<Answer> {
  const { procedure, input } = call;
  const answer = await procedure.act(contextOutside(runtime, call), input);
  const text = await textOf(runtime, call, answer);
  await auditRead(runtime, call);
  return { text, replayed: false };
}
