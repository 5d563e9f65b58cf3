import type { system, User } from '@crm/auth';
import type { CsvRow, DateOrders, Person } from '@crm/contacts-csv';
import { queryIn } from '@crm/data';
import type { Context, Sized, WorkerContext } from '@crm/service';
import type { Procedures } from './acting-within.ts';
import { endImport } from './end-import.ts';
import { importLimits } from './import.api.ts';
import { type Due, endTrial, noteProgress, type Progress, type Running } from './portion.queries.ts';
import type { Ahead } from './read-ahead.ts';
import type { Portion } from './read-portion.ts';
import { noteRemarks, type RemarkedRow } from './remark.queries.ts';

export interface Importing extends WorkerContext {
  readonly procedures: Procedures;
  readonly ahead: Ahead;
}

/** An import that continues, its user, and the people whom its rows can name. */
export interface ImportTurn {
  readonly context: Importing;
  readonly due: Sized<Due>;
  readonly actor: User;
  readonly people: readonly Person[];
  /** Those of the whole file, when its first rows are imported. */
  readonly dateOrders: DateOrders | undefined;
}

/** What an import has done with some rows. */
export interface Done extends Pick<Progress, 'counts' | 'columns'> {
  readonly remarked: readonly RemarkedRow[];
}

interface Written {
  readonly portion: Portion;
  readonly done: Done;
  /** Whether the rows after these are already written and only have to be committed. */
  readonly isFollowed: boolean;
}

/** Records what was done with the rows of a portion, in the same transaction. */
export async function noteDone(
  em: Context['em'],
  { context, due, actor }: ImportTurn,
  running: Running,
  { portion, done, isFollowed }: Written,
): Promise<void> {
  const query = queryIn(em);
  const { rows, next, isLast, broken } = portion;
  const { remarked, counts, columns } = done;
  await noteRemarks(query, due.id, remarked);
  await noteProgress(query, due.id, {
    position: next.offset,
    line: next.line,
    counts,
    columns,
    rows: rows.length,
    now: context.clock(),
    isFollowed,
  });
  const error = broken ?? tooMany(running.rows + rows.length);
  if (isLast || error !== null) await endRun(context, due, { error, em, actor });
}

/** After several faults the row that causes them is left out. */
export function leftOut(rows: readonly CsvRow[]): Done {
  const reason = 'An internal error prevents the import of this row. It was logged for the operator.';
  const remarked = rows.map(({ line, cells }) => ({ line, cells, is_error: true, reason }));
  const counts = { created: 0, updated: 0, skipped: 0, failed: remarked.length, warned: 0 };
  return { remarked, counts, columns: undefined };
}

const tooMany = (rows: number): string | null =>
  rows > importLimits.rows
    ? `A file may have ${importLimits.rows} rows. Send the others in separate files.`
    : null;

interface End {
  readonly error: string | null;
  readonly em: Context['em'];
  readonly actor: User | typeof system;
}

export async function endRun(
  { clock }: WorkerContext,
  { id, origin }: Due,
  { error, em, actor }: End,
): Promise<void> {
  if (error === null && (await endTrial(queryIn(em), id))) return;
  const status = error === null ? 'Done' : 'Failed';
  await endImport({ em, actor, requestId: origin.request_id, now: clock }, id, { status, error });
}
