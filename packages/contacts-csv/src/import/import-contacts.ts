import type { ActingClient } from '../acting-client.ts';
import { BrokenCsv } from '../csv/csv-rows.ts';
import type { RunControl } from '../run-control.ts';
import { loadHotnesses } from './catalogues.ts';
import { openErrorsFile } from './errors-file.ts';
import { type ImportRun, importRows } from './import-rows.ts';
import type { ContactsFile } from './open-contacts-file.ts';
import type { Match } from './same-person.ts';
import { type ImportSummary, type Stop, tallyInto } from './tally.ts';
import { dryWriter, liveWriter } from './writer.ts';

export interface ImportOptions {
  readonly dryRun: boolean;
  readonly duplicates: 'update' | 'skip';
  readonly match: Match;
}

/** Imports the rows of a file and writes the errors to a file beside it. */
export async function importContacts(
  client: ActingClient,
  file: ContactsFile,
  options: ImportOptions,
  { onProgress, throwIfStopped }: RunControl,
): Promise<ImportSummary> {
  const errorsFile = openErrorsFile(`${file.path}.errors.csv`);
  const tally = tallyInto(errorsFile);
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
      ignored_columns: file.columns.ignored,
      errors: tally.firstErrors,
      errors_file: errorsFile.count > 0 ? errorsFile.path : null,
      stopped,
    };
  } finally {
    errorsFile.close();
  }
}

async function runFor(client: ActingClient, { columns, hash }: ContactsFile, options: ImportOptions) {
  return {
    client,
    columns,
    hotnessNamed: await loadHotnesses(client.contacts, client.userId),
    writer: options.dryRun ? dryWriter() : await liveWriter(client, hash),
    ...options,
  };
}

/** Whatever ended the import, the caller gets the counts of the rows before. */
function stopOf(error: unknown): Stop {
  const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
  return { line: error instanceof BrokenCsv ? error.line : null, reason };
}
