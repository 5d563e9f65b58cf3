import { dueRows, type Query, queryFirst, queryIds, queryRows } from '@crm/data';
import type { Postponed, Sized } from '@crm/service';
import { z } from 'zod';
import { Origin } from '../on-behalf/origin.ts';
import { OwnAction } from './actions.ts';
import { Parameters } from './bulk-operation.api.ts';

const Due = z.object({
  id: z.int(),
  user_id: z.int(),
  origin: Origin,
  processed: z.int(),
  attempts: z.int(),
});
export type Due = z.output<typeof Due>;

/** Operations of a user are carried out one after another. */
export const isNext = `ended_at is null and not exists (
  select from bulk_operations e where e.user_id = b.user_id and e.ended_at is null and e.id < b.id)`;

/** The operations that this service carries out itself. */
const isOwn = "action <> 'enrol'";

/** When the next portion of an operation is due. */
export const operationsToCome = `select due_at from bulk_operations b where ${isOwn} and ${isNext}`;

/** The earliest operation of each user that has not ended, longest waiting first. */
export function dueOperations(query: Query, limit: number): Promise<Due[]> {
  return queryRows(
    query,
    Due,
    dueRows(
      'due_at',
      (isDue) => `select id, user_id, origin, processed, attempts from bulk_operations b
        where ${isDue} and ${isOwn} and ${isNext} order by due_at, id limit $1::int`,
    ),
    [limit],
  );
}

const Portion = z.object({
  action: OwnAction,
  parameters: Parameters,
  contact_ids: z.array(z.int()),
});

/** The next contacts of an operation, unless another instance has locked it or has continued it. */
export function lockPortion(query: Query, { id, processed, size }: Sized<Due>) {
  return queryFirst(
    query,
    Portion,
    `select action, parameters, contact_ids[$2::int + 1:$2::int + $3::int] as contact_ids from bulk_operations
     where id = $1::int and processed = $2::int and ended_at is null for update skip locked`,
    [id, processed, size],
  );
}

/** Why nothing was done to a contact. */
export interface Problem {
  readonly id: number;
  readonly message: string;
  readonly errors: Readonly<Record<string, string>>;
}

/** Records that a portion was processed. Other users are next. Returns whether it was the last portion. */
export async function noteProgress(
  query: Query,
  operationId: number,
  {
    count,
    problems,
    now,
  }: { readonly count: number; readonly problems: readonly Problem[]; readonly now: Date },
): Promise<boolean> {
  if (problems.length > 0)
    await query(
      `insert into bulk_operation_errors (bulk_operation_id, id, message, errors, created_at)
       select $1::int, id, message, errors, $3::timestamptz
       from jsonb_to_recordset($2::jsonb) p (id int, message text, errors jsonb)`,
      [operationId, JSON.stringify(problems), now],
    );
  const finished = await query(
    `update bulk_operations set version = version + 1, processed = processed + $2::int, failed = failed + $3::int,
       status = case when ended_at is null then 'Running' else status end,
       modified_at = $4::timestamptz, attempts = 0, due_at = clock_timestamp()
     where id = $1::int returning processed = total as is_finished`,
    [operationId, count, problems.length, now],
  );
  return finished[0]?.is_finished === true;
}

const Ended = z.object({
  id: z.int(),
  version: z.int(),
  user_id: z.int(),
  action: z.string(),
  total: z.int(),
});

interface End {
  readonly status: string;
  readonly now: Date;
}

/** Records that an operation has ended, unless it already had. */
export function noteEnd(query: Query, operationId: number, { status, now }: End) {
  return queryFirst(
    query,
    Ended,
    `update bulk_operations set version = version + 1, status = $2, ended_at = $3::timestamptz,
       modified_at = $3::timestamptz
     where id = $1::int and ended_at is null returning id, version, user_id, action, total`,
    [operationId, status, now],
  );
}

/** Unless another instance has gone on since: the next contact has failed at no attempt. */
export async function postponeOperation(
  query: Query,
  { id, processed }: Due,
  { attempts, seconds }: Postponed,
): Promise<void> {
  await query(
    `update bulk_operations set attempts = $2, due_at = now() + make_interval(secs => $3::int)
     where id = $1 and processed = $4::int`,
    [id, attempts, seconds, processed],
  );
}

/** An operation that ended 30 days ago, the earliest first. */
export async function findOldOperation(query: Query): Promise<number | undefined> {
  const text =
    "select id from bulk_operations where ended_at < now() - interval '30 days' order by ended_at limit 1";
  return (await queryIds(query, text, []))[0];
}
