import { createReadStream } from 'node:fs';
import type { ActingClient } from '../acting-client.ts';
import { ContactsCsvError } from '../contacts-csv-error.ts';
import { unprotectCell } from '../csv/cells.ts';
import { BrokenCsv, type CsvRow, csvRows } from '../csv/csv-rows.ts';
import type { RunControl } from '../run-control.ts';
import { dateOrdersIn, demandOneDateOrder } from './date-orders.ts';
import { type ChunkControl, type ImportRun, importRows } from './import-rows.ts';
import type { ContactsFile } from './open-contacts-file.ts';
import { type ImportOptions, openRun } from './open-run.ts';
import { openRemarksFile } from './remarks-file.ts';
import { type ImportSummary, type Stop, tallyInto } from './tally.ts';

/** Acts for the user with an e-mail address; undefined if there is no such account. */
export type ActAs = (email: string) => Promise<ActingClient | undefined>;

/**
 * Imports the rows of a file for a user, or each row for its owner, and writes rows with errors and warnings to files next to it.
 */
export async function importContacts(
  to: ActingClient | ActAs,
  file: ContactsFile,
  options: ImportOptions,
  { onProgress, throwIfStopped }: RunControl,
): Promise<ImportSummary> {
  const target = targetOf(to, file);
  const runs = runsFor(target, file, options);
  const errors = openRemarksFile(`${file.path}.errors.csv`, file);
  const warnings = openRemarksFile(`${file.path}.warnings.csv`, file);
  const tally = tallyInto(errors, warnings);
  try {
    const onChunk: ChunkControl['onChunk'] = (outcomes, end) => {
      tally.add(outcomes);
      onProgress(end / file.bytes, tally.counts.rows);
    };
    const control = { throwIfStopped, onChunk };
    if (target.userId !== null) await runs.runOf('');
    demandOneDateOrder(await dateOrdersIn(rowsIn(file)), runs.columns());
    const stopped = await importRows(runs, file.rows, control).then(() => null, stopOf);
    return {
      file: file.path,
      user_id: target.userId,
      dry_run: options.dryRun,
      ...tally.counts,
      ignored_columns: runs.columns().unused.map(({ header }) => header),
      errors: tally.firstErrors,
      errors_file: errors.count > 0 ? errors.path : null,
      warnings: tally.firstWarnings,
      warned: warnings.count,
      warnings_file: warnings.count > 0 ? warnings.path : null,
      stopped,
    };
  } finally {
    errors.close();
    warnings.close();
  }
}

const rowsIn = ({ path, delimiter }: ContactsFile) => csvRows({ chunks: createReadStream(path), delimiter });

/** The owners of the imported contacts: one user, or the owner of each row. */
interface Target {
  /** The user; null if each row names its owner. */
  readonly userId: number | null;
  readonly ownerOf: (row: CsvRow) => string;
  readonly clientOf: ActAs;
}

function targetOf(to: ActingClient | ActAs, { columns }: ContactsFile): Target {
  if (typeof to !== 'function') return { userId: to.userId, ownerOf: () => '', clientOf: async () => to };
  const owner = columns.used.find(({ field }) => field === 'owner');
  if (!owner) {
    throw new ContactsCsvError(
      'NoOwner',
      'The file has no column "owner". Name the owner of the contacts with --user.',
    );
  }
  const ownerOf = ({ cells }: CsvRow) =>
    unprotectCell(cells[owner.index] ?? '')
      .trim()
      .toLowerCase();
  return { userId: null, ownerOf, clientOf: to };
}

function runsFor({ ownerOf, clientOf }: Target, file: ContactsFile, options: ImportOptions) {
  const runs = new Map<string, Promise<ImportRun | undefined>>();
  let columns = file.columns;
  const newRun = async (email: string) => {
    const client = await clientOf(email);
    const run = client && (await openRun(client, file, options));
    if (run) columns = run.columns;
    return run;
  };
  return {
    /** Custom fields are found with the first user. */
    columns: () => columns,
    ownerOf,
    runOf(email: string) {
      const run = runs.get(email) ?? newRun(email);
      runs.set(email, run);
      return run;
    },
  };
}

/** Whatever ended the import, the caller gets the counts of the previous rows. */
function stopOf(error: unknown): Stop {
  const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
  return { line: error instanceof BrokenCsv ? error.line : null, reason };
}
