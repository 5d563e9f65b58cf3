import { system } from '@crm/auth';
import { emFor, queryIn } from '@crm/data';
import { repeat, type Worker, type WorkerContext } from '@crm/service';
import { deleteAll, deleteRecord } from '../delete-in-portions.queries.ts';
import { endImport } from './end-import.ts';
import {
  emptyParts,
  findForgotten,
  findOldImport,
  lockAbandoned,
  noteForgotten,
} from './forgotten-import.queries.ts';

type Clearing = Pick<WorkerContext, 'database' | 'clock'>;

const everyMs = 60_000;

/** Ends abandoned imports, deletes the files of imports that ended, and deletes imports that ended 30 days ago. */
export async function clearImports(context: Clearing): Promise<void> {
  while ((await endAbandoned(context)) > 0);
  const { query } = context.database;
  for (const { id, forgets_findings } of await findForgotten(query)) {
    if (forgets_findings) await deleteAll(query, 'import_remarks', 'import_id', id);
    await deleteAll(query, 'import_rehearsals', 'import_id', id);
    await emptyParts(query, id);
    await noteForgotten(query, id);
  }
  for (let id = await findOldImport(query); id !== undefined; id = await findOldImport(query)) {
    for (const table of ['import_remarks', 'import_rehearsals'])
      await deleteAll(query, table, 'import_id', id);
    await emptyParts(query, id);
    // With the few rows that it still has.
    await deleteRecord(query, 'imports', id);
  }
}

const endOf = {
  Uploading: { status: 'Failed', error: 'The file did not arrive completely.' },
  Mapping: { status: 'Canceled', error: null },
} as const;

/** Ends some abandoned imports, and returns how many. */
function endAbandoned({ database, clock: now }: Clearing): Promise<number> {
  return emFor(database.orm, system).transactional(async (em) => {
    const abandoned = await lockAbandoned(queryIn(em));
    for (const { id, status, origin } of abandoned) {
      await endImport({ em, actor: system, requestId: origin.request_id, now }, id, endOf[status]);
    }
    return abandoned.length;
  });
}

export const forgottenImportsWorker: Worker = async (context) =>
  repeat('forget imports', everyMs, () => clearImports(context), context.log);
