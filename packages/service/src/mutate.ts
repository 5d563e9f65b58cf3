import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, demandTimeLeft } from '@crm/client';
import { Refused } from '@crm/contract';
import { emFor, limitStatements, queryIn } from '@crm/data';
import type { EntityManager } from '@mikro-orm/postgresql';
import { rawTextOf, textOf } from './answer-text.ts';
import { auditMutation } from './audit.ts';
import { type AdmittedCall, type CallRuntime, contextOf, contextOutside, inTurn } from './call-context.ts';
import { isCollision } from './classify-error.ts';
import { demandDryRun, runAndRollBack } from './dry-run.ts';
import { findAnswer, type KeyedRequest, replaceAnswer } from './idempotency.ts';
import { keyedRequestOf, mutateOnce } from './keyed-mutation.ts';
import { noPeers } from './peers.ts';
import { Pending } from './pending.ts';
import { onCondition, type Precondition, preconditionOf } from './precondition.ts';

const maxAttempts = 4;

interface Mutation extends AdmittedCall {
  readonly keyed: KeyedRequest | undefined;
  readonly precondition: Precondition | undefined;
  /** What peers have returned before the transaction. */
  readonly facts: unknown;
}

/** Runs the steps of a mutation: asks peers, acts in one transaction, and finishes after the commit. */
export async function mutate(runtime: CallRuntime, call: AdmittedCall): Promise<Answer> {
  demandDryRun(call);
  const asking = { ...call, keyed: keyedRequestOf(call), precondition: preconditionOf(runtime, call) };
  const mutation = { ...asking, facts: await askFirst(runtime, asking) };
  const done = await commit(runtime, mutation);
  runtime.committed?.();
  // What has been committed is finished, even if the caller has left and however long it takes.
  const unlimited = { signal: undefined, deadline: undefined, waitsUntil: Infinity };
  return finish(runtime, { ...mutation, ...unlimited }, done);
}

/** Does not ask peers for a request that already has a stored response, which newer facts could contradict. */
async function askFirst(runtime: CallRuntime, asking: Omit<Mutation, 'facts'>): Promise<unknown> {
  const { procedure, input, keyed, precondition } = asking;
  if (!procedure.ask && !precondition) return undefined;
  if (keyed && (await findAnswer(runtime.database.query, keyed, runtime.clock()))) return undefined;
  await precondition?.prepare();
  return procedure.ask?.(contextOutside(runtime, asking), input);
}

/** Runs the transaction of a mutation, and runs it again if it collides with another one. */
async function commit(runtime: CallRuntime, mutation: Mutation): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await commitOnce(runtime, mutation);
    } catch (error) {
      if (!isCollision(error) || attempt === maxAttempts) throw error;
      await sleep(Math.random() * 20 * attempt);
    }
  }
}

async function commitOnce(runtime: CallRuntime, mutation: Mutation): Promise<Answer> {
  const em = emFor(runtime.database.orm, mutation.actor);
  const transaction = (on: EntityManager) => on.transactional((tx) => attempt(runtime, mutation, tx));
  return inTurn(runtime.turns.changes, mutation, async () => {
    const done = await (mutation.dryRun ? runAndRollBack(em, transaction) : committed(transaction(em)));
    if (done instanceof Refused) throw done;
    return done;
  });
}

/** The result of a transaction once it is committed. Only its statements may decide about it: a refusal would come too late. */
async function committed<Result>(transaction: Promise<Pending<Result>>): Promise<Result> {
  const { result } = await transaction;
  return result.catch((cause: unknown) => {
    throw new Error('A change was committed although its response failed.', { cause });
  });
}

async function attempt(
  runtime: CallRuntime,
  mutation: Mutation,
  tx: EntityManager,
): Promise<Pending<Answer | Refused>> {
  // A connection may have become free only late.
  limitStatements(tx, demandTimeLeft(mutation));
  const { keyed } = mutation;
  const run = (em: EntityManager) => act(runtime, mutation, em);
  if (keyed) return mutateOnce(tx, keyed, runtime.clock(), run);
  const { result } = await run(tx);
  return new Pending(result.then((text) => ({ text, replayed: false })));
}

async function act(runtime: CallRuntime, mutation: Mutation, em: EntityManager): Promise<Pending<string>> {
  const { procedure, input, facts, precondition } = mutation;
  let text = Promise.resolve('null');
  auditMutation(em, mutation, () => text);
  const check = precondition?.check(em);
  const data = { em, query: queryIn(em), peers: noPeers, checkLocked: check?.checkLocked };
  const ctx = contextOf(runtime, mutation, data);
  const answer = await onCondition(check, () => procedure.act(ctx, input, facts));
  text = procedure.complete || procedure.finish ? rawTextOf(answer) : textOf(runtime, mutation, answer);
  const pending = new Pending(text);
  // Other responses depend on no statement: if one is invalid, nothing is committed.
  if (!(answer instanceof Pending)) await text;
  await em.flush();
  return pending;
}

async function finish(runtime: CallRuntime, mutation: Mutation, done: Answer): Promise<Answer> {
  const { procedure, input, dryRun, keyed } = mutation;
  const last = procedure.complete ?? (dryRun ? procedure.rehearse : procedure.finish);
  if (!last) return done;
  const answer = await last(contextOutside(runtime, mutation), JSON.parse(done.text), input);
  const text = await textOf(runtime, mutation, answer);
  if (procedure.keep && keyed && !dryRun && text !== done.text) {
    await replaceAnswer(runtime.database.query, keyed, text);
  }
  return { ...done, text };
}
