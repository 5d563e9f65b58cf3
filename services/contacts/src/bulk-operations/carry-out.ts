import { system, type User } from '@crm/auth';
import { Refused } from '@crm/contract';
import { emFor, queryIn } from '@crm/data';
import {
  actAs,
  type Context,
  doPortions,
  leftOutReason,
  maxPortionAttempts,
  portionWorker,
  type Sized,
  type WorkerContext,
  withoutEntities,
} from '@crm/service';
import { actorNow } from '../on-behalf/actor-now.ts';
import { actions } from './actions.ts';
import { endOperation } from './end-operation.ts';
import {
  type Due,
  dueOperations,
  lockPortion,
  noteProgress,
  operationsToCome,
  type Problem,
  postponeOperation,
} from './portion.queries.ts';

type EntityManager = Context['em'];

/** The number of contacts that a transaction changes in a fraction of a second. */
const portionSize = 25;

const portions = {
  name: 'bulk operations',
  due: dueOperations,
  toCome: operationsToCome,
  sizeOf: () => portionSize,
  prepare: actorNow,
  attempt: attemptPortion,
  postpone: postponeOperation,
  rest: 1,
};

export const bulkOperationsWorker = portionWorker(portions);

/** Carries out due operations until nothing is left or it is stopped. */
export const carryOutDue = (context: WorkerContext, stopping: AbortSignal): Promise<void> =>
  doPortions(portions, context, stopping);

async function attemptPortion(
  context: WorkerContext,
  due: Sized<Due>,
  actor: User | undefined,
): Promise<boolean> {
  if (actor) return carryOutPortion(context, due, actor);
  const { database, clock: now } = context;
  await emFor(database.orm, system).transactional((em) =>
    endOperation({ em, actor: system, requestId: due.origin.request_id, now }, due.id, 'Failed'),
  );
  return true;
}

/**
 * Applies the action to the next contacts and records the progress in the same transaction: a portion is done once or, if the
 * process is killed, not at all. Returns false if another instance is working on it.
 */
async function carryOutPortion(context: WorkerContext, due: Sized<Due>, actor: User): Promise<boolean> {
  const { request_id: requestId } = due.origin;
  const { clock } = context;
  return emFor(context.database.orm, actor).transactional(async (em) => {
    const portion = await lockPortion(queryIn(em), due);
    if (!portion) return false;
    const problems: Problem[] = [];
    for (const id of portion.contact_ids) {
      const { procedure, act } = actions[portion.action];
      const work = { actor, requestId, action: procedure };
      const problem = await attemptContact(em, due, async (inner) => {
        const done = await act(actAs(context, work, inner), id, portion.parameters);
        await inner.flush();
        await done?.result;
      });
      if (problem) problems.push({ id, ...problem });
    }
    const count = portion.contact_ids.length;
    const isFinished = await noteProgress(queryIn(em), due.id, { count, problems, now: clock() });
    if (isFinished) await endOperation({ em, actor, requestId, now: clock }, due.id, 'Done');
    return true;
  });
}

/** In a savepoint within the transaction of the portion, so that a refusal leaves the others as they are. */
async function attemptContact(
  em: EntityManager,
  { attempts }: Due,
  change: (inner: EntityManager) => Promise<void>,
): Promise<Omit<Problem, 'id'> | undefined> {
  if (attempts >= maxPortionAttempts) return { message: leftOutReason, errors: {} };
  try {
    await em.transactional(change, withoutEntities);
    return undefined;
  } catch (error) {
    if (!(error instanceof Refused) || error.name === 'Unavailable') throw error;
    return { message: error.message, errors: error.errors };
  }
}
