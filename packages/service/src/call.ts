import { type Actor, actorName, isUser, type User } from '@crm/auth';
import type { Answer, Call, Caller, Credential } from '@crm/client';
import { forbidden, notFound, type Operation } from '@crm/contract';
import { type Database, emFor, JsonText, queryIn } from '@crm/data';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock } from './clock.ts';
import type { Context } from './context.ts';
import { isCollision, refusalIn } from './faults.ts';
import { findAnswer, type KeyedRequest, keepAnswer } from './idempotency.ts';
import type { Procedure } from './implement.ts';
import { keyedRequestOf, mutateOnce } from './keyed-mutation.ts';
import type { Logger } from './log.ts';
import { noPeers, type Peers } from './peers.ts';
import { readInput } from './read-input.ts';

export interface Runtime {
  readonly procedures: ReadonlyMap<string, Procedure>;
  readonly database: Database;
  readonly peers: Peers;
  readonly authenticate: (credential: Credential, requestId: string) => Promise<Actor>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Compare each answer with the contract. For tests: the database already guarantees the types. */
  readonly checkAnswers: boolean;
}

/** The one way into a service: authentication, scope, input, transaction, handler, in this order for every operation. */
export function callerOf(runtime: Runtime): Caller {
  return async (call) => {
    const began = performance.now();
    let user: string | undefined;
    const resolved = (actor: Actor) => {
      user = actorName(actor);
    };
    const note = (outcome: string) => {
      const ms = Math.round((performance.now() - began) * 100) / 100;
      runtime.log.info({ procedure: call.procedure, requestId: call.requestId, user, ms, outcome }, 'call');
    };
    try {
      const answer = await carryOut(runtime, call, resolved);
      note('done');
      return answer;
    } catch (error) {
      const refused = refusalIn(error);
      note(refused?.name ?? 'fault');
      throw refused ?? error;
    }
  };
}

async function carryOut(runtime: Runtime, call: Call, resolved: (actor: Actor) => void): Promise<Answer> {
  const procedure = runtime.procedures.get(call.procedure);
  if (!procedure) throw notFound({ message: `There is no procedure ${call.procedure}.` });
  const { operation } = procedure;
  const actor =
    operation.for === 'anyone' ? nobody : await runtime.authenticate(call.credential, call.requestId);
  if (actor !== nobody) resolved(actor);
  demandAccess(operation, actor);
  const input = readInput(operation, call.input, call.strict ?? false);
  const request = { ...call, procedure, actor, input };
  return operation.kind === 'query' ? read(runtime, request) : mutate(runtime, request);
}

/** Stands where an operation is open to anyone: it sees nothing that belongs to a person. */
const nobody: User = {
  id: 0,
  timezone: 'UTC',
  scopes: [],
  is_broker: false,
  broker: null,
  sub_account_user_ids: [],
  team_ids: [],
  teammate_ids: [],
  sharing_teammate_ids: [],
};

function demandAccess(operation: Operation, actor: Actor) {
  if (operation.for === 'anyone') return;
  if (operation.for === 'system') {
    if (isUser(actor)) throw forbidden();
    return;
  }
  if (!isUser(actor)) throw forbidden({ message: 'This is done on behalf of a user.' });
  const wanted = operation.kind === 'query' ? 'read' : 'write';
  if (actor.scopes.includes('write') || actor.scopes.includes(wanted)) return;
  throw forbidden({
    message: `This access token does not have the scope ${wanted}.`,
    errors: { scope: wanted },
  });
}

interface Request extends Omit<Call, 'procedure'> {
  readonly procedure: Procedure;
  readonly actor: Actor;
}

async function read(runtime: Runtime, request: Request): Promise<Answer> {
  const { procedure, input } = request;
  const answer = await procedure.act(outside(runtime, request), input, undefined);
  return { text: textOf(runtime, request, answer), replayed: false };
}

const mostAttempts = 4;

async function mutate(runtime: Runtime, request: Request): Promise<Answer> {
  const keyed = keyedRequestOf(request);
  const facts = await askFirst(runtime, request, keyed);
  const done = await commit(runtime, { ...request, facts }, keyed);
  return finish(runtime, request, done, keyed);
}

/** One transaction for all that a mutation does; begun again from the start when it collides with another. */
async function commit(runtime: Runtime, request: Attempt, keyed: KeyedRequest | undefined): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptMutation(runtime, request, keyed);
    } catch (error) {
      if (!isCollision(error) || attempt === mostAttempts) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
    }
  }
}

/** Nobody is asked for a request that was answered already: what is true by now could contradict the answer. */
async function askFirst(runtime: Runtime, request: Request, keyed: KeyedRequest | undefined) {
  const { ask } = request.procedure;
  if (!ask) return undefined;
  if (keyed && (await findAnswer(runtime.database.query, keyed, runtime.clock()))) return undefined;
  return ask(outside(runtime, request), request.input);
}

async function finish(
  runtime: Runtime,
  request: Request,
  done: Answer,
  keyed: KeyedRequest | undefined,
): Promise<Answer> {
  const { procedure, input } = request;
  if (!procedure.finish) return done;
  const answer = await procedure.finish(outside(runtime, request), JSON.parse(done.text), input);
  const text = textOf(runtime, request, answer);
  if (procedure.keep && keyed && text !== done.text) await keepAnswer(runtime.database.query, keyed, text);
  return { ...done, text };
}

interface Attempt extends Request {
  /** What other services said before. */
  readonly facts: unknown;
}

async function attemptMutation(
  runtime: Runtime,
  request: Attempt,
  keyed: KeyedRequest | undefined,
): Promise<Answer> {
  const em = emFor(runtime.database.orm, request.actor);
  const run = (tx: EntityManager) => act(runtime, request, tx);
  if (keyed) return mutateOnce(em, keyed, runtime.clock(), run);
  return { text: await em.transactional(run), replayed: false };
}

async function act(runtime: Runtime, request: Attempt, em: EntityManager): Promise<string> {
  const { procedure, input, facts } = request;
  const ctx = contextOf(runtime, request, { em, query: queryIn(em), peers: noPeers });
  const answer = await procedure.act(ctx, input, facts);
  const text = procedure.finish ? rawTextOf(answer) : textOf(runtime, request, answer);
  await em.flush();
  return text;
}

/** The context of what happens before, after and without a transaction. */
function outside(runtime: Runtime, request: Request): Context {
  const { orm, query } = runtime.database;
  let em: EntityManager | undefined;
  return contextOf(runtime, request, {
    // Most reads never touch an entity, and a fork is not free.
    get em() {
      em ??= emFor(orm, request.actor);
      return em;
    },
    query,
    peers: runtime.peers,
  });
}

function contextOf(
  runtime: Runtime,
  { actor, requestId }: Request,
  data: Pick<Context, 'em' | 'query' | 'peers'>,
): Context {
  const moment = runtime.clock();
  return Object.defineProperties(data, {
    actor: { value: actor },
    user: {
      get: () => {
        if (isUser(actor)) return actor;
        throw new Error('The system acts for no user.');
      },
    },
    now: { value: () => moment },
    log: { value: runtime.log },
    requestId: { value: requestId },
  }) as Context;
}

const rawTextOf = (answer: unknown): string =>
  answer instanceof JsonText ? answer.text : JSON.stringify(answer);

function textOf(runtime: Runtime, { procedure, input }: Request, answer: unknown): string {
  const { output } = procedure.operation;
  // Of a record that was asked for in part, the contract cannot say what it must have.
  const inPart = isInPart(input);
  if (!(answer instanceof JsonText)) return JSON.stringify(inPart ? answer : output.parse(answer));
  if (runtime.checkAnswers && !inPart) output.parse(JSON.parse(answer.text));
  return answer.text;
}

function isInPart(input: unknown): boolean {
  const { select, $select } = input as { select?: unknown; $select?: unknown };
  return Boolean(select ?? $select);
}
