import {
  type Answer,
  type Call,
  type CallService,
  entityTagOf,
  isMatched,
  readEntityTags,
} from '@crm/client';
import { invalidField, pathParameters, preconditionFailed, Refused } from '@crm/contract';
import { queryIn } from '@crm/data';
import type { EntityManager } from '@mikro-orm/postgresql';
import { textOf } from './answer-text.ts';
import { type AdmittedCall, type CallRuntime, contextOf, contextOutside } from './call-context.ts';
import type { Context } from './context.ts';
import type { Peers } from './peers.ts';
import type { Procedure } from './procedure.ts';
import { readInput } from './read-input.ts';

/** The If-Match of a mutation: the state that the record must have for the change to be made. */
export interface Precondition {
  /** Reads the record once outside the transaction, where peers can be called, to learn what they add to it. */
  prepare(): Promise<void>;
  /** For one attempt to make the change. */
  check(em: EntityManager): Check;
}

interface Check {
  readonly checkLocked: NonNullable<Context['checkLocked']>;
  readonly outcome: () => 'met' | 'unmet' | undefined;
}

/** Throws BadRequest for a malformed If-Match, and for an operation on something that has no ETag. */
export function preconditionOf(runtime: CallRuntime, call: AdmittedCall): Precondition | undefined {
  if (call.ifMatch === undefined) return undefined;
  const tags = readEntityTags('If-Match', call.ifMatch);
  const reader = readerOf(runtime.procedures, call.procedure);
  if (!reader)
    throw invalidField('If-Match', 'is supported by PATCH and DELETE of a record that can be read');
  const reading = { ...call, procedure: reader, input: inputOf(reader, call.input) };
  const remembered = new Map<string, Promise<Answer>>();
  const tagIn = async (ctx: Context) =>
    entityTagOf(await textOf(runtime, reading, await reader.act(ctx, reading.input)));
  return {
    async prepare() {
      const peers = remembering(runtime.peers, remembered);
      await tagIn(contextOutside({ ...runtime, peers }, reading));
    },
    check(em) {
      let outcome: ReturnType<Check['outcome']>;
      const peers = replaying(runtime.peers, remembered);
      const checkLocked = async (id: number) => {
        // Handlers also lock the record that this one belongs to.
        const isOther = 'id' in reading.input && reading.input.id !== id;
        if (outcome || isOther) return;
        const tag = await tagIn(contextOf(runtime, reading, { em, query: queryIn(em), peers }));
        outcome = isMatched(tags, tag) ? 'met' : 'unmet';
      };
      return { checkLocked, outcome: () => outcome };
    },
  };
}

/**
 * Makes a change, and refuses it if the record was not in the state that the client expects when it was locked. If the caller
 * may not make the change at all, that is the reason for the refusal (RFC 9110 §13.2.1).
 */
export async function onCondition<Result>(
  check: Check | undefined,
  change: () => Promise<Result>,
): Promise<Result> {
  if (!check) return change();
  let result: Result;
  try {
    result = await change();
  } catch (error) {
    const isContent = error instanceof Refused && error.name !== 'Forbidden';
    throw isContent && check.outcome() === 'unmet' ? preconditionFailed() : error;
  }
  const outcome = check.outcome();
  if (outcome === undefined) throw new Error('The record was changed without comparing it with If-Match.');
  if (outcome === 'unmet') throw preconditionFailed();
  return result;
}

/** The operation that reads the record which a mutation changes. */
function readerOf(procedures: CallRuntime['procedures'], { operation }: Procedure): Procedure | undefined {
  const path = /^(?:PATCH|DELETE) (.*)$/.exec(operation.rest ?? '')?.[1];
  if (path === undefined) return undefined;
  return [...procedures.values()].find(({ operation }) => operation.rest === `GET ${path}`);
}

/** The values of the path: the tag is that of the record as the caller reads it without parameters. */
function inputOf({ operation }: Procedure, input: unknown) {
  const values = input as Readonly<Record<string, unknown>>;
  const names = pathParameters(operation.rest ?? '');
  const path = Object.fromEntries(names.map((name) => [name, values[name]]));
  return readInput(operation, path, false) as { readonly id?: unknown };
}

function remembering(peers: Peers, answers: Map<string, Promise<Answer>>): Peers {
  return withServices(peers, (service, callService) => (call) => {
    const answer = callService(call);
    answers.set(keyOf(service, call), answer);
    return answer;
  });
}

/**
 * Replays the responses of peers instead of calling them. If another response is needed, the record is not the one that was
 * read.
 */
function replaying(peers: Peers, answers: ReadonlyMap<string, Promise<Answer>>): Peers {
  const replayed = withServices(peers, (service) => async (call) => {
    const answer = answers.get(keyOf(service, call));
    if (!answer) throw preconditionFailed();
    return answer;
  });
  return { ...replayed, asSystem: async () => undefined, onBehalf: async () => undefined };
}

function withServices(peers: Peers, wrap: (service: string, callService: CallService) => CallService): Peers {
  const services = Object.entries(peers.services).map(([name, callService]) => [
    name,
    wrap(name, callService),
  ]);
  return { ...peers, services: Object.fromEntries(services) };
}

const keyOf = (service: string, { procedure, input }: Call) =>
  `${service} ${procedure} ${JSON.stringify(input)}`;
