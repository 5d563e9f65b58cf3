import { type Draft, haveNobodyInCommon, type ImportRun } from '@crm/contacts-csv';
import { emFor, queryIn } from '@crm/data';
import { type ImportTurn, noteDone } from './note-portion.ts';
import { lockRunning, makeDue, type Running } from './portion.queries.ts';
import { optsOut, type ReadPortion, readyRows } from './read-ahead.ts';
import { sizeOf } from './read-portion.ts';
import { runPortion } from './run-portion.ts';

/**
 * Whether portions of an import can be written at the same time: they only add contacts, and do not wait for inserts of others.
 */
export const mayBeTwo = ({ due, actor }: ImportTurn, { dry_run, duplicates }: Running): boolean =>
  due.size === sizeOf({ duplicates }) && !dry_run && duplicates !== 'update' && actor.act === null;

/**
 * Whether no row of a portion could match a contact that is created from the previous portion, and none opts a number or
 * address out: that would lock it, and a transaction waiting for it may hold what the previous portion needs.
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
  /** Where it begins and the previous one ends. */
  readonly offset: number;
  /** Resolves to whether the previous portion was committed. */
  readonly first: Promise<boolean>;
}

/**
 * Imports rows while those before them are being imported, and commits after them or not at all. If it fails, the rows become
 * the next portion, on their own; whatever was wrong then appears again.
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
 * Waits for the previous portion outside of PostgreSQL, which therefore could not detect a deadlock. There can be none: nothing
 * that another transaction could wait for is locked here, except new contacts.
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
