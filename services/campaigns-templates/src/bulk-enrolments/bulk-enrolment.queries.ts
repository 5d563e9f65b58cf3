import { dueRows, type Query, queryFirst, queryRows } from '@crm/data';
import type { Postponed } from '@crm/service';
import { z } from 'zod';

/**
 * Longer than a portion takes. The lease only saves duplicate work: a portion that two instances process still takes
 * effect once.
 */
const lease = "interval '10 seconds'";

export async function addBulkEnrolment(query: Query, operationId: number, requestId: string): Promise<void> {
  await query(
    'insert into bulk_enrolments (bulk_operation_id, request_id) values ($1::int, $2) on conflict do nothing',
    [operationId, requestId],
  );
}

const Due = z.object({ id: z.int(), request_id: z.string(), processed: z.int(), attempts: z.int() });
export type Due = z.output<typeof Due>;

/** When the next portion of an operation is due. */
export const enrolmentsToCome = 'select due_at from bulk_enrolments';

/** Leases operations, longest waiting first. */
export function leaseBulkEnrolments(query: Query, limit: number): Promise<Due[]> {
  return queryRows(
    query,
    Due,
    `with due as (${dueRows(
      'due_at',
      (isDue) => `select bulk_operation_id from bulk_enrolments where ${isDue}
        order by due_at, bulk_operation_id limit $1::int for update skip locked`,
    )})
     update bulk_enrolments e set due_at = now() + ${lease} from due
     where e.bulk_operation_id = due.bulk_operation_id
     returning e.bulk_operation_id as id, e.request_id, e.processed, e.attempts`,
    [limit],
  );
}

/** Why a contact was not added. */
const Problem = z.object({ id: z.int(), message: z.string(), errors: z.record(z.string(), z.string()) });
export type Problem = z.output<typeof Problem>;

const State = z.object({ processed: z.int(), problems: z.array(Problem) });
export type State = z.output<typeof State>;

/**
 * The progress of an operation in this service; undefined if its row has been deleted. Locks the row, so other
 * instances wait until the transaction ends.
 */
export function lockState(query: Query, operationId: number): Promise<State | undefined> {
  return queryFirst(
    query,
    State,
    'select processed, problems from bulk_enrolments where bulk_operation_id = $1::int for update',
    [operationId],
  );
}

export async function storeState(query: Query, operationId: number, { processed, problems }: State) {
  await query(
    'update bulk_enrolments set processed = $2::int, problems = $3::jsonb where bulk_operation_id = $1::int',
    [operationId, processed, JSON.stringify(problems)],
  );
}

const later = `update bulk_enrolments set attempts = $2::int, due_at = clock_timestamp() + make_interval(secs => $3::int)
  where bulk_operation_id = $1::int`;

/** Makes the operation due again later, so that other operations get their turn. */
export async function continueLater(query: Query, { id }: Due, seconds: number): Promise<void> {
  await query(later, [id, 0, seconds]);
}

/**
 * Postpones a failed portion. Does nothing if another instance has since moved on, because no attempt at the next
 * portion has failed.
 */
export async function postponeBulkEnrolment(
  query: Query,
  { id, processed }: Due,
  { attempts, seconds }: Postponed,
): Promise<void> {
  await query(`${later} and processed = $4::int`, [id, attempts, seconds, processed]);
}

export async function forgetBulkEnrolment(query: Query, operationId: number): Promise<void> {
  await query('delete from bulk_enrolments where bulk_operation_id = $1::int', [operationId]);
}
