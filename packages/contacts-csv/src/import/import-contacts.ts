import type { ActingClient } from '../acting-client.ts';
import { BrokenCsv } from '../csv/csv-rows.ts';
import type { RunControl } from '../run-control.ts';
import { loadHotnesses } from './catalogues.ts';
import type { Column } from './columns.ts';
import { findCustomFields } from './custom-fields.ts';
import { findPeople } from './find-people.ts';
import { type ImportRun, importRows } from './import-rows.ts';
import type { ContactsFile } from './open-contacts-file.ts';
import type { Names } from './read-row.ts';
import { openRemarksFile } from './remarks-file.ts';
import type { Match } from './same-person.ts';
import { type ImportSummary, type Stop, tallyInto } from './tally.ts';
import { dryWriter, liveWriter } from './writer.ts';

export interface ImportOptions {
  readonly dryRun: boolean;
  readonly duplicates: 'update' | 'skip' | 'create';
  readonly match: Match;
  /** Creates custom fields and hotnesses that do not exist. */
  readonly createMissing: boolean;
  /** The current date, which decides the century of a year of two digits. */
  readonly today: string;
}

/** Imports the rows of a file and writes those with errors and warnings to files beside it. */
export async function importContacts(
  client: ActingClient,
  file: ContactsFile,
  options: ImportOptions,
  { onProgress, throwIfStopped }: RunControl,
): Promise<ImportSummary> {
  const errors = openRemarksFile(`${file.path}.errors.csv`, file);
  const warnings = openRemarksFile(`${file.path}.warnings.csv`, file);
  const tally = tallyInto(errors, warnings);
  try {
    const run = await runFor(client, file, options);
    const onChunk: ImportRun['onChunk'] = (outcomes, end) => {
      tally.add(outcomes);
      onProgress(end / file.bytes, tally.counts.rows);
    };
    const stopped = await importRows({ ...run, throwIfStopped, onChunk }, file.rows).then(() => null, stopOf);
    return {
      file: file.path,
      user_id: client.userId,
      dry_run: options.dryRun,
      ...tally.counts,
      ignored_columns: run.columns.unused.map(({ header }) => header),
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

async function runFor(client: ActingClient, file: ContactsFile, options: ImportOptions) {
  const hotnesses = await loadHotnesses(client.contacts, client.userId);
  const { columns, ids } = await findCustomFields(client, file.columns, {
    ...options,
    allOthers: file.allOthers,
  });
  const names: Names = {
    userId: client.userId,
    hotness: hotnesses.find,
    person: await findPeople(client),
    customField: ({ index }: Column) => ids.get(index) ?? 0,
    createMissing: options.createMissing,
    today: options.today,
  };
  const writer = options.dryRun ? dryWriter() : await liveWriter(client, file.hash, hotnesses);
  return { client, columns, names, writer, ...options };
}

/** Whatever ended the import, the caller gets the counts of the rows before. */
function stopOf(error: unknown): Stop {
  const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
  return { line: error instanceof BrokenCsv ? error.line : null, reason };
}
