import { connectionsOf, system, type User } from '@crm/auth';
import { ContactsCsvError, dateOrdersIn, type Person } from '@crm/contacts-csv';
import { isTemporary, Refused } from '@crm/contract';
import { emFor, queryIn } from '@crm/data';
import { byIds, doPortions, portionWorker, type Sized, type Worker, type WorkerContext } from '@crm/service';
import { actorNow } from '../on-behalf/actor-now.ts';
import { identity } from '../peers.ts';
import type { Procedures } from './acting-within.ts';
import { forgetSomeFindings } from './forgotten-import.queries.ts';
import { csvType } from './import.api.ts';
import { importPortions } from './import-portion.ts';
import { endRun, type Importing } from './note-portion.ts';
import { type Due, dueImports, importsToCome, postponeImport } from './portion.queries.ts';
import { portionsAhead } from './read-ahead.ts';
import { allRows, sizeOf } from './read-portion.ts';
import { restBehindEvents } from './rest-behind-events.ts';

function portionsWith(procedures: Procedures) {
  const ahead = portionsAhead();
  return {
    name: 'imports',
    due: dueImports,
    toCome: importsToCome,
    sizeOf,
    prepare,
    attempt: (context: WorkerContext, due: Sized<Due>, prepared: Prepared) =>
      attemptPortion({ ...context, procedures, ahead }, due, prepared),
    postpone: postponeImport,
    rest: 0.1,
    restsIfBusy: true,
  };
}

/** A worker that imports rows as requests of their users would, by the procedures of the service. */
export const importsWorker = (procedures: Procedures): Worker => portionWorker(portionsWith(procedures));

/** Continues due imports until nothing is left or it is stopped. */
export const runDue = (
  context: WorkerContext,
  procedures: Procedures,
  stopping: AbortSignal,
): Promise<void> => doPortions(portionsWith(procedures), context, stopping);

type Prepared = Awaited<ReturnType<typeof prepare>>;

async function prepare(context: WorkerContext, due: Due) {
  const mayHurry = !(await restBehindEvents(context.database.query));
  const actor = await actorNow(context, due);
  const people = actor && due.names_people ? await peopleOf(context, due, actor) : [];
  // A long file takes seconds, for which no transaction waits.
  const dateOrders =
    due.rows === 0 && due.type === csvType
      ? await dateOrdersIn(allRows(context.database.query, due.id, due))
      : undefined;
  return { mayHurry, actor, people, dateOrders };
}

async function attemptPortion(
  context: Importing,
  due: Sized<Due>,
  { actor, mayHurry, ...prepared }: Prepared,
): Promise<boolean> {
  if (!actor) {
    await endAlone(context, due, 'The account can no longer import contacts.');
    return true;
  }
  if (due.forgets_findings) return forgetFindings(context, due);
  try {
    return await importPortions({ context, due, actor, ...prepared }, mayHurry);
  } catch (error) {
    const prevented = preventedBy(error);
    if (prevented === undefined) throw error;
    await endAlone(context, due, prevented);
    return true;
  }
}

/** The people whom the user works with, whom rows name. */
async function peopleOf({ peers }: WorkerContext, { origin }: Due, actor: User): Promise<readonly Person[]> {
  const { users } = identity.asSystem({ peers, requestId: origin.request_id });
  const people = await byIds(connectionsOf(actor), (ids) => users.byIds({ ids }));
  return [...people.values()].filter(({ is_active }) => is_active);
}

/** Why nothing of the file can be imported, in a sentence; undefined for what may succeed later. */
function preventedBy(error: unknown): string | undefined {
  if (error instanceof ContactsCsvError) return error.message;
  return error instanceof Refused && !isTemporary(error) ? error.message : undefined;
}

/** As a portion of its own, because there may be very many. */
async function forgetFindings({ database }: Importing, { id }: Due): Promise<true> {
  await emFor(database.orm, system).transactional((em) => forgetSomeFindings(queryIn(em), id));
  return true;
}

const endAlone = (context: WorkerContext, due: Due, error: string): Promise<void> =>
  emFor(context.database.orm, system).transactional((em) =>
    endRun(context, due, { error, em, actor: system }),
  );
