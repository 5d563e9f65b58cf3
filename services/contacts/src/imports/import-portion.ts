import { connectionsOf, type system, type User } from '@crm/auth';
import type { CsvRow, ImportRun, Person, Place } from '@crm/contacts-csv';
import { emFor, queryIn } from '@crm/data';
import { importEnded } from '@crm/events';
import { type Context, publish, type WorkerContext } from '@crm/service';
import { identity } from '../peers.ts';
import type { Procedures } from './acting-within.ts';
import { eventData } from './create-import.ts';
import { importLimits } from './import.api.ts';
import { type Due, endImport, endTrial, lockRunning, noteProgress, noteRemarks } from './portion.queries.ts';
import { type Ahead, type ReadPortion, readAsBefore } from './read-ahead.ts';
import { readPortion } from './read-portion.ts';
import { type Done, runPortion } from './run-portion.ts';

/** As many rows as a transaction adds in a fraction of a second. */
const portionSize = 1_000;
/** How often a row is tried whose import ends in a fault. */
const maxAttempts = 5;

export interface Importing extends WorkerContext {
  readonly procedures: Procedures;
  readonly ahead: Ahead;
}

/**
 * Imports the next rows, in one transaction with what it notes about its progress: a portion is imported once or, if the
 * process is killed, not at all. Returns false if another instance is at it.
 */
export async function importPortion(context: Importing, due: Due, actor: User): Promise<boolean> {
  const people = due.names_people ? await peopleOf(context, due, actor) : [];
  return emFor(context.database.orm, actor).transactional(async (em) => {
    const query = queryIn(em);
    const running = await lockRunning(query, due);
    if (!running) return false;
    const isRepeated = due.attempts > 0;
    // Rows are read while others are written, and a connection does one thing after the other.
    const readFrom = (place: Place) =>
      readPortion(context.database.query, due.id, running, place, isRepeated ? 1 : portionSize);
    const from = { offset: running.position, line: running.line };
    const before = isRepeated ? undefined : context.ahead.take(due.id, from.offset);
    const portion: ReadPortion = await (before ?? readFrom(from));
    const { rows, next, isLast, broken } = portion;
    const readOn = (run: ImportRun) => {
      if (isRepeated || isLast || broken !== null) return;
      const read = async () => readAsBefore(await readFrom(next), run);
      context.ahead.begin(due.id, next.offset, read);
    };
    const acting = { context, procedures: context.procedures, due, running, actor, people, readOn };
    const done = due.attempts < maxAttempts ? await runPortion(acting, em, portion) : leftOut(rows);
    await noteRemarks(query, due.id, done.remarked);
    const { counts, columns } = done;
    await noteProgress(query, due.id, {
      position: next.offset,
      line: next.line,
      counts,
      columns,
      rows: rows.length,
      now: context.clock(),
    });
    const error = broken ?? tooMany(running.rows + rows.length);
    if (isLast || error !== null) await end(context, due, { error, em, actor });
    return true;
  });
}

/** After many faults the row that causes them is left out. */
function leftOut(rows: readonly CsvRow[]): Done {
  const reason = 'A fault prevents the import of this row. The operator can see it.';
  const remarked = rows.map(({ line, cells }) => ({ line, cells, is_error: true, reason }));
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

interface End {
  readonly error: string | null;
  readonly em: Context['em'];
  readonly actor: User | typeof system;
}

export async function end(
  { clock }: WorkerContext,
  { id, origin }: Due,
  { error, em, actor }: End,
): Promise<void> {
  if (error === null && (await endTrial(queryIn(em), id))) return;
  const status = error === null ? 'Done' : 'Failed';
  const ended = await endImport(queryIn(em), id, { status, error, now: clock() });
  const publishing = { em, actor, requestId: origin.request_id, now: clock };
  if (ended) publish(publishing, importEnded, ended, eventData(ended));
}
