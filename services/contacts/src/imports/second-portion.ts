import { type Draft, haveNobodyInCommon, type ImportRun } from '@crm/contacts-csv';
import { emFor, queryIn } from '@crm/data';
import { type ImportTurn, noteDone } from './note-portion.ts';
import { lockRunning, makeDue, type Running } from './portion.queries.ts';
import { optsOut, type ReadPortion, readyRows } from './read-ahead.ts';
import { sizeOf } from './read-portion.ts';
import { runPortion } from './run-portion.ts';

/** Whether portions of an import can be written at the same time: they only add contacts, and wait for nobody else's insert. */
export const mayBeTwo = ({ due, actor }: ImportTurn, { dry_run, duplicates }: Running): boolean =>
  due.size === sizeOf({ duplicates }) && !dry_run && duplicates !== 'update' && actor.act === null;

/**
 * Whether no row of a portion could match a contact that those of the one before become, and none opts a number or address out:
 * that locks it, and whoever waits for it may hold what the portion before needs.
 */
export function isAboutOthers(
  portion: ReadPortion,
  before: ReadPortion,
  { duplicates, match }: Running,
): boolean {
  if (optsOut(portion)) return false;
  return duplicates === 'create' || haveNobodyInCommon(draftsOf(portion), draftsOf(before), match);
}

const draftsOf = (portion: ReadPortion): Draft[] => readyRows(portion).map(({ draft }) => draft);

interface Second {
  readonly portion: ReadPortion;
  readonly running: Running;
  /** Where it begins, and the one before ends. */
  readonly offset: number;
  /** Resolves when the portion before is committed, with whether it is. */
  readonly first: Promise<boolean>;
}

/**
 * Imports rows while those before them are imported, and commits behind them or not at all. If it fails, the rows are the next
 * portion, alone; what was wrong then appears again.
 */
export async function importSecond(turn: ImportTurn, second: Second): Promise<void> {
  const { context, due } = turn;
  const { portion, offset, first } = second;
  try {
    await writeSecond(turn, second);
  } catch (error) {
    context.log.debug(
      { err: error, import: due.id },
      'a portion of an import is waiting for the previous one',
    );
    context.ahead.begin(due.id, offset, async () => portion);
    if (await first.catch(() => false)) await makeDue(context.database.query, due.id, offset);
  }
}

/**
 * Waits for the portion before without asking PostgreSQL, which would not know of a circle. There is none: nothing that another
 * transaction could wait for is locked here, except new contacts.
 */
async function writeSecond(turn: ImportTurn, { portion, running, offset, first }: Second): Promise<void> {
  const { context, due, actor } = turn;
  const onOpened = (run: ImportRun) => {
    if (run.readsBy !== portion.readsBy) throw new Error('Names in the rows have changed their meaning.');
  };
  await emFor(context.database.orm, actor).transactional(async (em) => {
    const acting = { ...turn, running, onOpened, addsNames: false };
    const done = await runPortion(acting, em, portion);
    const locked = (await first) && (await lockRunning(queryIn(em), { ...due, position: offset }));
    if (!locked) throw new Error('The previous portion was not imported, or the import has ended.');
    await noteDone(em, turn, locked, { portion, done, isFollowed: false });
  });
}
