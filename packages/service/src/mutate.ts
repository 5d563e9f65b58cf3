import { type Answer, demandTimeLeft } from '@crm/client';
import { Refused } from '@crm/contract';
import { emFor, limitStatements, queryIn } from '@crm/data';
import type { EntityManager } from '@mikro-orm/postgresql';
import { rawTextOf, textOf } from './answer-text.ts';
import { auditMutation } from './audit.ts';
import { contextOf, contextOutside, inTurn, type Request, type Serving } from './call-context.ts';
import { isCollision } from './classify-error.ts';
import { demandDryRun, rolledBack } from './dry-run.ts';
import { findAnswer, type KeyedRequest, replaceAnswer } from './idempotency.ts';
import { keyedRequestOf, mutateOnce } from './keyed-mutation.ts';
import { noPeers } from './peers.ts';
import { onCondition, type Precondition, preconditionOf } from './precondition.ts';

const maxAttempts = 4;

/** Runs the steps of a mutation: asks peers, acts in one transaction, and finishes after the commit. */
export async function mutate(runtime: Serving, request: Request): Promise<Answer> {
  demandDryRun(request);
  const keyed = keyedRequestOf(request);
  const precondition = preconditionOf(runtime, request);
  const facts = await askFirst(runtime, { ...request, precondition }, keyed);
  const done = await commit(runtime, { ...request, precondition, facts }, keyed);
  runtime.committed?.();
  return finish(runtime, request, done, keyed);
}

/** Runs the transaction of a mutation, and runs it again if it collides with another one. */
async function commit(runtime: Serving, request: Attempt, keyed: KeyedRequest | undefined): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptMutation(runtime, request, keyed);
    } catch (error) {
      if (!isCollision(error) || attempt === maxAttempts) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt));
    }
  }
}

/** Asks no peer for a request that already has a stored response, which later facts could contradict. */
async function askFirst(runtime: Serving, request: Conditional, keyed: KeyedRequest | undefined) {
  const { procedure, precondition } = request;
  if (!procedure.ask && !precondition) return undefined;
  if (keyed && (await findAnswer(runtime.database.query, keyed, runtime.clock()))) return undefined;
  await precondition?.prepare();
  return procedure.ask?.(contextOutside(runtime, request), request.input);
}

async function finish(
  runtime: Serving,
  request: Request,
  done: Answer,
  keyed: KeyedRequest | undefined,
): Promise<Answer> {
  const { procedure, input, dryRun } = request;
  const last = procedure.complete ?? (dryRun ? procedure.rehearse : procedure.finish);
  if (!last) return done;
  const answer = await last(contextOutside(runtime, request), JSON.parse(done.text), input);
  const text = textOf(runtime, request, answer);
  if (procedure.keep && keyed && !dryRun && text !== done.text) {
    await replaceAnswer(runtime.database.query, keyed, text);
  }
  return { ...done, text };
}

interface Conditional extends Request {
  readonly precondition: Precondition | undefined;
}

interface Attempt extends Conditional {
  /** What peers have returned before the transaction. */
  readonly facts: unknown;
}

async function attemptMutation(
  runtime: Serving,
  request: Attempt,
  keyed: KeyedRequest | undefined,
): Promise<Answer> {
  const em = emFor(runtime.database.orm, request.actor);
  const run = (tx: EntityManager) => act(runtime, request, tx);
  return inTurn(runtime.turns.changes, request, async () => {
    const attempt = async (tx: EntityManager) => {
      // The connection may have come late.
      limitStatements(tx, demandTimeLeft(request));
      return keyed ? mutateOnce(tx, keyed, runtime.clock(), run) : { text: await run(tx), replayed: false };
    };
    const transaction = (on: EntityManager) => on.transactional(attempt);
    const done = await (request.dryRun ? rolledBack(em, transaction) : transaction(em));
    if (done instanceof Refused) throw done;
    return done;
  });
}

async function act(runtime: Serving, request: Attempt, em: EntityManager): Promise<string> {
  const { procedure, input, facts, precondition } = request;
  const respond = auditMutation(em, request);
  const check = precondition?.check(em);
  const data = { em, query: queryIn(em), peers: noPeers, checkLocked: check?.checkLocked };
  const ctx = contextOf(runtime, request, data);
  const answer = await onCondition(check, () => procedure.act(ctx, input, facts));
  const text = procedure.complete || procedure.finish ? rawTextOf(answer) : textOf(runtime, request, answer);
  await em.flush();
  respond(text);
  return text;
}
