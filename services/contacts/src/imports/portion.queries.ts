import { dueRows, hasRows, type Query, queryFirst, queryRows } from '@crm/data';
import type { Postponed } from '@crm/service';
import { z } from 'zod';
import { Origin } from '../on-behalf/origin.ts';
import { ImportView } from './import.api.ts';
import { StoredMapping } from './stored-mapping.ts';

const Due = z.object({
  id: z.int(),
  user_id: z.int(),
  origin: Origin,
  position: z.int(),
  rows: z.int(),
  attempts: z.int(),
  type: ImportView.shape.type,
  delimiter: z.string().nullable(),
  duplicates: ImportView.shape.duplicates,
  /** Whether its rows refer to people. */
  names_people: z.boolean(),
  /** Whether what it found before it was restarted must be deleted first. */
  forgets_findings: z.boolean(),
});
export type Due = z.output<typeof Due>;

const isOpen = (table: string) => `${table}.ended_at is null and ${table}.status in ('Waiting', 'Running')`;
const isNext = `${isOpen('i')} and not exists (
  select from imports e where e.user_id = i.user_id and ${isOpen('e')} and e.id < i.id)`;

const namesPeople = `jsonb_path_exists(columns,
  '$[*].field ? (@ == "assigned_to" || @ == "shared_with" || @ == "owner")')`;

/** When the next portion of an import is due. */
export const importsToCome = `select due_at from imports i where ${isNext}`;

/** The earliest import of each user that waits or runs, longest waiting first. */
export function dueImports(query: Query, limit: number): Promise<Due[]> {
  return queryRows(
    query,
    Due,
    dueRows(
      'due_at',
      (isDue) =>
        `select id, user_id, origin, position, rows, attempts, type, delimiter, duplicates, ${namesPeople} as names_people,
           forgets_findings
         from imports i where ${isDue} and ${isNext} order by due_at, id limit $1::int`,
    ),
    [limit],
  );
}

const { type, duplicates, match } = ImportView.shape;
const Running = z.object({
  type,
  duplicates,
  match,
  dry_run: z.boolean(),
  create_missing: z.boolean(),
  tags: z.string().nullable(),
  assigned_user_id: z.int().nullable(),
  mapping: StoredMapping,
  delimiter: z.string().nullable(),
  headers: z.array(z.string()),
  hash: z.string(),
  bytes: z.int(),
  position: z.int(),
  line: z.int(),
  rows: z.int(),
});
export type Running = z.output<typeof Running>;

/** An import with how far it is, unless another instance has locked it or has continued it. */
export function lockRunning(query: Query, { id, position }: Due): Promise<Running | undefined> {
  return queryFirst(
    query,
    Running,
    `select type, duplicates, match, dry_run, create_missing, tags, assigned_user_id, mapping, delimiter, headers,
       hash, bytes, position, line, rows
     from imports i where id = $1::int and position = $2::int and not forgets_findings and ${isOpen('i')}
     for update skip locked`,
    [id, position],
  );
}

export interface Progress {
  readonly position: number;
  readonly line: number;
  readonly counts: Readonly<Record<'created' | 'updated' | 'skipped' | 'failed' | 'warned', number>>;
  readonly rows: number;
  /** If they are known more precisely than before. */
  readonly columns: readonly object[] | undefined;
  readonly now: Date;
  /** Whether the rows after them are about to be committed. */
  readonly isFollowed: boolean;
}

/**
 * Longer than committing a portion that is already written takes. Otherwise another instance would repeat what is about to be
 * committed.
 */
const followedSeconds = 5;

/** Records that rows were processed. Other users are next. */
export async function noteProgress(query: Query, importId: number, progress: Progress): Promise<void> {
  const { position, line, counts, rows, columns, now, isFollowed } = progress;
  await query(
    `update imports set version = version + 1, status = 'Running', position = $2::int, line = $3::int,
       rows = rows + $4::int, created = created + $5::int, updated = updated + $6::int,
       skipped = skipped + $7::int, failed = failed + $8::int, warned = warned + $9::int,
       columns = coalesce($10::jsonb, columns), started_at = coalesce(started_at, now()),
       rows_per_second = round(((rows + $4::int)
         / greatest(0.001, extract(epoch from clock_timestamp() - coalesce(started_at, now()))))::numeric, 1)::float8,
       modified_at = $11::timestamptz, attempts = 0,
       due_at = clock_timestamp() + make_interval(secs => $12::int)
     where id = $1::int`,
    [
      importId,
      position,
      line,
      rows,
      counts.created,
      counts.updated,
      counts.skipped,
      counts.failed,
      counts.warned,
      columns === undefined ? null : JSON.stringify(columns),
      now,
      isFollowed ? followedSeconds : 0,
    ],
  );
}

/** Makes an import due at once if its rows after an offset were not committed as expected. */
export async function makeDue(query: Query, importId: number, position: number): Promise<void> {
  await query('update imports set due_at = clock_timestamp() where id = $1::int and position = $2::int', [
    importId,
    position,
  ]);
}

const Ended = z.object({ id: z.int(), version: z.int(), user_id: z.int() });

/** Ends a dry run whose file is kept until the user decides what to do next. Returns false for any other import. */
export function endTrial(query: Query, importId: number): Promise<boolean> {
  return hasRows(
    query,
    `update imports set version = version + 1, status = 'Mapping', modified_at = now()
     where id = $1::int and is_held and dry_run and ended_at is null returning id`,
    [importId],
  );
}

export interface End {
  readonly status: 'Done' | 'Failed' | 'Canceled';
  readonly error: string | null;
  readonly now: Date;
}

/** Notes the end of an import, unless it has ended, and has a worker delete its file, whose personal data is no longer needed. */
export function noteEnd(query: Query, importId: number, { status, error, now }: End) {
  return queryFirst(
    query,
    Ended,
    `update imports set version = version + 1, status = $2, error = $3, ended_at = $4::timestamptz,
       modified_at = $4::timestamptz, forgets_file = true
     where id = $1::int and ended_at is null returning id, version, user_id`,
    [importId, status, error, now],
  );
}

/** Unless another instance has gone on since: the next row has failed at no attempt. */
export async function postponeImport(
  query: Query,
  { id, position }: Due,
  { attempts, seconds }: Postponed,
): Promise<void> {
  await query(
    `update imports set attempts = $2, due_at = now() + make_interval(secs => $3::int)
     where id = $1 and position = $4::int`,
    [id, attempts, seconds, position],
  );
}
