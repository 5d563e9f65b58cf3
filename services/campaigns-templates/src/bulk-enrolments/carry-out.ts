import { doPortions, maxPortionAttempts, portionWorker, type Sized, type WorkerContext } from '@crm/service';
import { enrolAtOnce } from '../campaign-contacts/enrol.ts';
import { contacts } from '../peers.ts';
import {
  continueLater,
  type Due,
  enrolmentsToCome,
  forgetBulkEnrolment,
  leaseBulkEnrolments,
  postponeBulkEnrolment,
} from './bulk-enrolment.queries.ts';
import { crashPoint } from './crash-point.ts';
import { type Enrolled, enrolPortion, type Portion } from './enrol-portion.ts';

/** Few enough contacts for a transaction to add in a fraction of a second. */
const portionSize = 25;

const portions = {
  name: 'add contacts to campaigns',
  due: leaseBulkEnrolments,
  toCome: enrolmentsToCome,
  sizeOf: () => portionSize,
  prepare: nextPortion,
  attempt: carryOutPortion,
  postpone: postponeBulkEnrolment,
  rest: 1,
};

export const bulkEnrolmentsWorker = portionWorker(portions);

/** Carries out due operations until none is left or `stopping` is aborted. */
export const carryOutDue = (context: WorkerContext, stopping: AbortSignal): Promise<void> =>
  doPortions(portions, context, stopping);

type Next = Awaited<ReturnType<typeof nextPortion>>;

async function nextPortion({ peers }: WorkerContext, { id, request_id, size }: Sized<Due>) {
  const { bulkOperations } = contacts.asSystem({ peers, requestId: request_id });
  return bulkOperations.nextPortion({ id, size });
}

/** Adds the next contacts and reports the result to the operation. Returns true if there may be more to do at once. */
async function carryOutPortion(context: WorkerContext, due: Due, { state, portion }: Next): Promise<boolean> {
  const { id, request_id, attempts } = due;
  const { peers, database } = context;
  if (state === 'Ended') {
    await forgetBulkEnrolment(database.query, id);
    return true;
  }
  if (!portion) {
    await continueLater(database.query, due, 1);
    return false;
  }
  const enrolled = await enrolPortion(context, id, portion, { isGivenUp: attempts >= maxPortionAttempts });
  if (!enrolled) return false;
  await crashPoint('enrolled');
  await scheduleAtOnce(context, portion, enrolled);
  const { count, problems } = enrolled;
  const { bulkOperations } = contacts.asSystem({ peers, requestId: request_id });
  await bulkOperations.settlePortion({ id, processed: portion.processed, count, problems });
  await continueLater(database.query, due, 0);
  return true;
}

/** Schedules one contact after another. If scheduling does not respond, the rest is left to the worker. */
async function scheduleAtOnce(
  { database, peers, clock, log }: WorkerContext,
  { request_id }: Portion,
  { added }: Enrolled,
): Promise<void> {
  const { query } = database;
  for (const id of added)
    if ((await enrolAtOnce({ query, peers, log, now: clock, requestId: request_id }, id)) === null) return;
}
