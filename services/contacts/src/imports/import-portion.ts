import { demandOneDateOrder, type ImportRun, type Place } from '@crm/contacts-csv';
import { emFor, queryIn } from '@crm/data';
import { maxPortionAttempts } from '@crm/service';
import { type ImportTurn, leftOut, noteDone } from './note-portion.ts';
import { lockRunning, type Running } from './portion.queries.ts';
import { divided, type ReadPortion, readAsBefore } from './read-ahead.ts';
import { readPortion, sizeOf } from './read-portion.ts';
import { runPortion } from './run-portion.ts';
import { importSecond, isAboutOthers, mayBeTwo } from './second-portion.ts';

/**
 * Imports the next rows and records the progress in the same transaction: a portion is imported once or, if the process is
 * killed, not at all. Imports the rows after them at the same time if it may and can. Returns false if another instance is
 * working on it.
 */
export async function importPortions(turn: ImportTurn, mayHurry: boolean): Promise<boolean> {
  const { context, due, actor } = turn;
  let second: Promise<void> | undefined;
  const first: Promise<boolean> = emFor(context.database.orm, actor).transactional(async (em) => {
    const running = await lockRunning(queryIn(em), due);
    if (!running) return false;
    const { portion, rest, readOn } = await nextRows(turn, running);
    const { offset } = portion.next;
    const isRestKnown = mayHurry && rest && isAboutOthers(rest, portion, running);
    const onOpened = (run: ImportRun) => {
      if (turn.dateOrders && run.columns) demandOneDateOrder(turn.dateOrders, run.columns);
      if (rest && isRestKnown && run.readsBy === rest.readsBy)
        second = importSecond(turn, { portion: rest, running, offset, first });
      else if (rest) context.ahead.begin(due.id, offset, async () => rest);
      readOn(run);
    };
    const done =
      due.attempts < maxPortionAttempts
        ? await runPortion({ ...turn, running, onOpened, addsNames: true }, em, portion)
        : leftOut(portion.rows);
    await noteDone(em, turn, running, { portion, done, isFollowed: second !== undefined });
    return true;
  });
  try {
    return await first;
  } finally {
    await second;
  }
}

interface NextRows {
  readonly portion: ReadPortion;
  /** The rows that were read after them. */
  readonly rest: ReadPortion | undefined;
  /** Reads further rows as the run does, while these are written. */
  readonly readOn: (run: ImportRun) => void;
}

async function nextRows(turn: ImportTurn, running: Running): Promise<NextRows> {
  const { context, due } = turn;
  const isRepeated = due.attempts > 0;
  // The import may have been restarted in the meantime.
  const portionSize = Math.min(due.size, sizeOf(running));
  // Rows are read while others are written, and a connection does only one thing at a time.
  const readFrom = (place: Place, size: number) =>
    readPortion(context.database.query, due.id, running, place, size);
  const from = { offset: running.position, line: running.line };
  const before = isRepeated ? undefined : context.ahead.take(due.id, from.offset);
  const read = await (before ?? readFrom(from, portionSize));
  const [portion, rest] = divided(read, portionSize);
  const sizeAhead = mayBeTwo(turn, running) ? 2 * portionSize : portionSize;
  const readOn = (run: ImportRun) => {
    const { next, isLast, broken } = read;
    if (isRepeated || isLast || broken !== null) return;
    const readMore = async () => readAsBefore(await readFrom(next, sizeAhead), run);
    context.ahead.begin(due.id, next.offset, readMore);
  };
  return { portion, rest, readOn };
}
