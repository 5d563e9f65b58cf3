import type { Query } from '@crm/data';
import { repeat, type Worker } from '@crm/service';
import { deleteAll } from '../delete-in-portions.queries.ts';
import {
  abandonImports,
  deleteImport,
  emptySomeParts,
  findForgotten,
  findOldImport,
  noteForgotten,
} from './forgotten-import.queries.ts';

const everyMs = 60_000;

/** Ends what was abandoned, and deletes the files of imports that ended, and imports that ended 30 days ago. */
export async function clearImports(query: Query): Promise<void> {
  await abandonImports(query);
  for (const { id, forgets_findings } of await findForgotten(query)) {
    if (forgets_findings) await deleteAll(query, 'import_remarks', 'import_id', id);
    await deleteAll(query, 'import_rehearsals', 'import_id', id);
    while (await emptySomeParts(query, id));
    await noteForgotten(query, id);
  }
  for (let id = await findOldImport(query); id !== undefined; id = await findOldImport(query)) {
    for (const table of ['import_remarks', 'import_rehearsals'])
      await deleteAll(query, table, 'import_id', id);
    while (await emptySomeParts(query, id));
    await deleteImport(query, id);
  }
}

export const forgottenImportsWorker: Worker = async ({ database, log }) =>
  repeat('forget imports', everyMs, () => clearImports(database.query), log);
