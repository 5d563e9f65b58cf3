import { refusalIn, takeTurns, turnsWorker, type WorkerContext } from '@crm/service';
import { enrolAtOnce } from '../campaign-contacts/enrol.ts';
import { contacts } from '../peers.ts';
import {
  continueLater,
  type Due,
  enrolmentsToCome,
  forgetBulkEnrolment,
  leaseBulkEnrolments,
} from './bulk-enrolment.queries.ts';
import { type Enrolled, enrolPortion, type Portion } from './enrol-portion.ts';
import { fault } from './fault.ts';

/** As many contacts as a transaction adds in a fraction of a second. */
const portionSize = 25;
/** How often a contact is tried whose addition ends in a fault. */
const maxAttempts = 5;

const turns = {
  name: 'add contacts to campaigns',
  due: ({ database }: WorkerContext, limit: number) => leaseBulkEnrolments(database.query, limit),
  toCome: enrolmentsToCome,
  attempt: attemptPortion,
  rest: 1,
};

export const bulkEnrolmentsWorker = turnsWorker(turns);

/** Carries out what is due, until nothing is left or it is stopped. */
export const carryOutDue = (context: WorkerContext, stopping: AbortSignal): Promise<void> =>
  takeTurns(turns, context, stopping);

async function attemptPortion(context: WorkerContext, due: Due): Promise<boolean> {
  const { database, log } = context;
  const { bulk_operation_id: id, attempts } = due;
  try {
    return await carryOutPortion(context, due);
  } catch (error) {
    log.warn({ err: error, bulk_operation: id }, 'contacts could not be added to a campaign yet');
    const isUnavailable = refusalIn(error)?.name === 'Unavailable';
    const failed = isUnavailable ? attempts : attempts + 1;
    const seconds = isUnavailable ? 2 : 2 ** failed;
    await continueLater(database.query, id, { attempts: failed, seconds });
    return false;
  }
}

/** Asks for the next contacts, adds them, and has the operation note it. Returns whether there may be more to do at once. */
async function carryOutPortion(context: WorkerContext, { bulk_operation_id: id, request_id, attempts }: Due) {
  const { peers, database } = context;
  const { bulkOperations } = contacts.asSystem({ peers, requestId: request_id });
  const size = attempts > 0 ? 1 : portionSize;
  const { state, portion } = await bulkOperations.nextPortion({ id, size });
  if (state === 'Ended') {
    await forgetBulkEnrolment(database.query, id);
    return true;
  }
  if (!portion) {
    await continueLater(database.query, id, { attempts: 0, seconds: 1 });
    return false;
  }
  const enrolled = await enrolPortion(context, id, portion, { isGivenUp: attempts >= maxAttempts });
  if (!enrolled) return false;
  await fault('enrolled');
  await scheduleAtOnce(context, portion, enrolled);
  const { count, problems } = enrolled;
  await bulkOperations.settlePortion({ id, processed: portion.processed, count, problems });
  await continueLater(database.query, id, { attempts: 0, seconds: 0 });
  return true;
}

/** One after the other, and if scheduling does not respond, the worker schedules all that are left. */
async function scheduleAtOnce(
  { database, peers, clock, log }: WorkerContext,
  { request_id }: Portion,
  { added }: Enrolled,
): Promise<void> {
  const { query } = database;
  for (const id of added)
    if ((await enrolAtOnce({ query, peers, log, now: clock, requestId: request_id }, id)) === null) return;
}
