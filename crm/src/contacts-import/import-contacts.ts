import type { Advance } from '../advance.ts';
import { inspectCsv } from '../csv/csv-file.ts';
import { BrokenCsv, csvRows } from '../csv/csv-rows.ts';
import { type Acting, actingFor } from '../system/acting-for.ts';
import { idOr } from '../system/id-or.ts';
import { Unable } from '../system/unable.ts';
import { loadHotnesses } from './catalogues.ts';
import { type Columns, type Mapping, readColumns } from './columns.ts';
import { openErrorsFile } from './errors-file.ts';
import { type ImportRun, importRows } from './import-rows.ts';
import type { Match } from './same-person.ts';
import { type ImportSummary, type Stop, tallyInto } from './tally.ts';
import { dryWriter, liveWriter } from './writer.ts';

export interface ImportOrder {
  readonly path: string;
  readonly user: string;
  readonly dryRun: boolean;
  readonly duplicates: 'update' | 'skip';
  readonly match: Match;
  readonly mapping: Mapping;
}

/** Imports a file. Before it asks for anything it knows that the file can be read and means something. */
export async function importContacts(
  env: NodeJS.ProcessEnv,
  order: ImportOrder,
  { advance, mayContinue }: { readonly advance: Advance; readonly mayContinue: () => void },
): Promise<ImportSummary> {
  const file = await inspectCsv(order.path);
  const rows = csvRows(file);
  const columns = await headerOf(rows, order);
  if (columns.ignored.length > 0) advance.note(`Not imported: ${columns.ignored.join(', ')}.`);
  const errand = { user: idOr(order.user), scope: 'write', name: 'contacts import' } as const;
  return actingFor(env, errand, async (acting) => {
    const errorsFile = openErrorsFile(`${order.path}.errors.csv`);
    const tally = tallyInto(errorsFile);
    try {
      const run = await runFor(order, { acting, columns, hash: file.hash });
      const tell: ImportRun['tell'] = (outcomes, end) => {
        tally.add(outcomes);
        advance.at(end / file.bytes, tally.counts.rows);
      };
      const stopped = await importRows({ ...run, mayContinue, tell }, rows).then(() => null, stopOf);
      return {
        file: order.path,
        user_id: acting.userId,
        dry_run: order.dryRun,
        ...tally.counts,
        ignored_columns: columns.ignored,
        errors: tally.firstErrors,
        errors_file: errorsFile.count > 0 ? errorsFile.path : null,
        stopped,
      };
    } finally {
      advance.end();
      errorsFile.close();
    }
  });
}

async function headerOf(rows: ReturnType<typeof csvRows>, { path, mapping }: ImportOrder): Promise<Columns> {
  const header = await rows.next().catch((error: unknown) => {
    if (!(error instanceof BrokenCsv)) throw error;
    throw new Unable('NoHeader', `${path} is broken on line ${error.line}: ${error.message}.`);
  });
  if (header.done) throw new Unable('NoHeader', `${path} is empty.`);
  return readColumns(header.value.cells, mapping);
}

async function runFor(
  order: ImportOrder,
  { acting, columns, hash }: { readonly acting: Acting; readonly columns: Columns; readonly hash: string },
) {
  return {
    acting,
    columns,
    hotnessNamed: await loadHotnesses(acting.contacts, acting.userId),
    writer: order.dryRun ? dryWriter() : await liveWriter(acting, hash),
    dryRun: order.dryRun,
    match: order.match,
    duplicates: order.duplicates,
  };
}

/** Whatever ended it, what was done before has to be told. */
function stopOf(error: unknown): Stop {
  const reason = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
  return { line: error instanceof BrokenCsv ? error.line : null, reason };
}
