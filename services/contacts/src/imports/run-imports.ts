import { connectionsOf, system, type User } from '@crm/auth';
import { ContactsCsvError, type Person } from '@crm/contacts-csv';
import { Refused } from '@crm/contract';
import { emFor, queryIn } from '@crm/data';
import { importEnded } from '@crm/events';
import {
  type Context,
  publish,
  refusalIn,
  repeat,
  takeTurns,
  turnsWorker,
  type Worker,
  type WorkerContext,
} from '@crm/service';
import { actorNow } from '../on-behalf/actor-now.ts';
import { identity } from '../peers.ts';
import type { Procedures } from './acting-within.ts';
import { eventData } from './create-import.ts';
import { importLimits } from './import.api.ts';
import {
  abandonImports,
  type Due,
  dueImports,
  endImport,
  endTrial,
  forgetSomeImports,
  importsToCome,
  lockRunning,
  noteProgress,
  noteRemarks,
  postponeImport,
} from './portion.queries.ts';
import { type Portion, readPortion } from './read-portion.ts';
import { type Acting, type Done, runPortion } from './run-portion.ts';

/** As many rows as a transaction adds in a fraction of a second. */
const portionSize = 1_000;
/** How often a row is tried whose import ends in a fault. */
const maxAttempts = 5;

const turnsWith = (procedures: Procedures) => ({
  name: 'imports',
  due: ({ database }: WorkerContext, limit: number) => dueImports(database.query, limit),
  toCome: importsToCome,
  attempt: (context: WorkerContext, due: Due) => attemptPortion({ ...context, procedures }, due),
  rest: 0.1,
});

/** A worker that imports rows as requests of their users would, by the procedures of the service. */
export const importsWorker = (procedures: Procedures): Worker => turnsWorker(turnsWith(procedures));

/** Goes on with what is due, until nothing is left or it is stopped. */
export const runDue = (
  context: WorkerContext,
  procedures: Procedures,
  stopping: AbortSignal,
): Promise<void> => takeTurns(turnsWith(procedures), context, stopping);

interface Importing extends WorkerContext {
  readonly procedures: Procedures;
}

async function attemptPortion(context: Importing, due: Due): Promise<boolean> {
  const { database, log } = context;
  try {
    const actor = await actorNow(context, due);
    if (!actor) {
      await endAlone(context, due, 'The account may no longer import contacts.');
      return true;
    }
    return await importPortion(context, due, actor);
  } catch (error) {
    const prevented = preventedBy(error);
    if (prevented !== undefined) {
      await endAlone(context, due, prevented);
      return true;
    }
    log.warn({ err: error, import: due.id }, 'a portion of an import could not be read yet');
    const isUnavailable = refusalIn(error)?.name === 'Unavailable';
    const attempts = isUnavailable ? due.attempts : due.attempts + 1;
    await postponeImport(database.query, due, attempts, isUnavailable ? 2 : 2 ** attempts);
    return false;
  }
}

/** Why nothing of the file can be imported, in a sentence; undefined for what may succeed later. */
function preventedBy(error: unknown): string | undefined {
  if (error instanceof ContactsCsvError) return error.message;
  return error instanceof Refused && error.name !== 'Unavailable' && error.retryAfter === undefined
    ? error.message
    : undefined;
}

/**
 * Imports the next rows, in one transaction with what it notes about its progress: a portion is imported once or, if the
 * process is killed, not at all. Returns false if another instance is at it.
 */
async function importPortion(context: Importing, due: Due, actor: User): Promise<boolean> {
  const people = due.names_people ? await peopleOf(context, due, actor) : [];
  return emFor(context.database.orm, actor).transactional(async (em) => {
    const query = queryIn(em);
    const running = await lockRunning(query, due);
    if (!running) return false;
    // Rows are read while others are written, and a connection does one thing after the other.
    const reading = context.database.query;
    const portion = readPortion(reading, due.id, running, due.attempts > 0 ? 1 : portionSize);
    const acting = { context, procedures: context.procedures, due, running, actor, people };
    const done = await doneWith(acting, em, portion.rows);
    await noteRemarks(query, due.id, done.remarked);
    const { count, next, isLast, broken } = portion.end();
    const now = context.clock();
    const { counts, columns } = done;
    await noteProgress(query, due.id, {
      position: next.offset,
      line: next.line,
      counts,
      columns,
      rows: count,
      now,
    });
    const error = broken ?? tooMany(running.rows + count);
    if (isLast || error !== null) await end(context, due, { error, em, actor });
    return true;
  });
}

/** After many faults the row that causes them is left out. */
async function doneWith(acting: Acting, em: Context['em'], rows: Portion['rows']): Promise<Done> {
  if (acting.due.attempts < maxAttempts) return runPortion(acting, em, rows);
  const reason = 'A fault prevents the import of this row. The operator can see it.';
  const remarked = (await Array.fromAsync(rows)).map(({ line, cells }) => {
    return { line, cells, is_error: true, reason };
  });
  const counts = { created: 0, updated: 0, skipped: 0, failed: remarked.length, warned: 0 };
  return { remarked, counts, columns: undefined };
}

const tooMany = (rows: number): string | null =>
  rows > importLimits.rows
    ? `A file may have ${importLimits.rows} rows. Send the others in files of their own.`
    : null;

/** The people whom the user works with, whom rows name. */
async function peopleOf({ peers }: WorkerContext, { origin }: Due, actor: User): Promise<readonly Person[]> {
  const { users } = identity.asSystem({ peers, requestId: origin.request_id });
  const ids = [...connectionsOf(actor)].slice(0, 1000);
  return (await users.byIds({ ids })).filter(({ is_active }) => is_active);
}

const endAlone = (context: WorkerContext, due: Due, error: string): Promise<void> =>
  emFor(context.database.orm, system).transactional((em) => end(context, due, { error, em, actor: system }));

interface End {
  readonly error: string | null;
  readonly em: Context['em'];
  readonly actor: User | typeof system;
}

async function end({ clock }: WorkerContext, { id, origin }: Due, { error, em, actor }: End): Promise<void> {
  if (error === null && (await endTrial(queryIn(em), id))) return;
  const status = error === null ? 'Done' : 'Failed';
  const ended = await endImport(queryIn(em), id, { status, error, now: clock() });
  const publishing = { em, actor, requestId: origin.request_id, now: clock };
  if (ended) publish(publishing, importEnded, ended, eventData(ended));
}

const hourMs = 60 * 60_000;
const batchSize = 100;

export const forgottenImportsWorker: Worker = async ({ database, log }) =>
  repeat(
    'forget imports',
    hourMs,
    async () => {
      await abandonImports(database.query);
      while (await forgetSomeImports(database.query, batchSize));
    },
    log,
  );
