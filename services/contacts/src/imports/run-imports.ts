import { system } from '@crm/auth';
import { ContactsCsvError } from '@crm/contacts-csv';
import { isTemporary, Refused } from '@crm/contract';
import { emFor } from '@crm/data';
import { refusalIn, repeat, takeTurns, turnsWorker, type Worker, type WorkerContext } from '@crm/service';
import { actorNow } from '../on-behalf/actor-now.ts';
import type { Procedures } from './acting-within.ts';
import { importPortions } from './import-portion.ts';
import {
  abandonImports,
  type Due,
  dueImports,
  forgetSomeImports,
  importsToCome,
  postponeImport,
} from './portion.queries.ts';
import { portionsAhead } from './read-ahead.ts';
import { restBehindEvents } from './rest-behind-events.ts';
import { end, type Importing } from './write-portion.ts';

function turnsWith(procedures: Procedures) {
  const ahead = portionsAhead();
  return {
    name: 'imports',
    due: ({ database }: WorkerContext, limit: number) => dueImports(database.query, limit),
    toCome: importsToCome,
    attempt: (context: WorkerContext, due: Due) => attemptPortion({ ...context, procedures, ahead }, due),
    rest: 0.1,
    restsIfBusy: true,
  };
}

/** A worker that imports rows as requests of their users would, by the procedures of the service. */
export const importsWorker = (procedures: Procedures): Worker => turnsWorker(turnsWith(procedures));

/** Goes on with what is due, until nothing is left or it is stopped. */
export const runDue = (
  context: WorkerContext,
  procedures: Procedures,
  stopping: AbortSignal,
): Promise<void> => takeTurns(turnsWith(procedures), context, stopping);

async function attemptPortion(context: Importing, due: Due): Promise<boolean> {
  const { database, log } = context;
  try {
    const isBehind = await restBehindEvents(database.query);
    const actor = await actorNow(context, due);
    if (!actor) {
      await endAlone(context, due, 'The account may no longer import contacts.');
      return true;
    }
    return await importPortions(context, due, actor, !isBehind);
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
  return error instanceof Refused && !isTemporary(error) ? error.message : undefined;
}

const endAlone = (context: WorkerContext, due: Due, error: string): Promise<void> =>
  emFor(context.database.orm, system).transactional((em) => end(context, due, { error, em, actor: system }));

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
