import { type Query, queryFirst, queryRows, readModel } from '@crm/data';
import { z } from 'zod';
import { ImportView } from './import.api.ts';
import { visibleImports } from './import.policy.ts';

export const importRows = readModel(ImportView, {
  table: 'imports',
  visible: visibleImports,
  nested: { columns: 'imports.columns' },
});

/** How many imports of a user have not ended. Requests of the same user wait for each other. */
export async function lockOpenImports(query: Query, userId: number): Promise<number> {
  await query("select pg_advisory_xact_lock(hashtext('imports'), $1::int)", [userId]);
  const open = 'select from imports where user_id = $1 and ended_at is null';
  return (await query(open, [userId])).length;
}

const Remarked = z.object({ line: z.int(), cells: z.array(z.string()), reason: z.string() });
export type Remarked = z.output<typeof Remarked>;

interface Wanted {
  readonly isError: boolean;
  readonly after: number;
  readonly limit: number;
}

/** Rows with errors or warnings, in the order of the file. */
export const remarksOf = (query: Query, importId: number, { isError, after, limit }: Wanted) =>
  queryRows(
    query,
    Remarked,
    `select line, cells, reason from import_remarks
     where import_id = $1 and is_error = $2 and line > $3
       and not (select forgets_findings from imports where id = $1)
     order by line limit $4::int`,
    [importId, isError, after, limit],
  );

const Form = z.object({
  type: ImportView.shape.type,
  headers: z.array(z.string()),
  delimiter: z.string().nullable(),
});

/** The form of the file of an import. */
export async function formOf(query: Query, importId: number): Promise<z.output<typeof Form>> {
  const form = await queryFirst(query, Form, 'select type, headers, delimiter from imports where id = $1', [
    importId,
  ]);
  if (!form) throw new Error(`Import ${importId} does not exist.`);
  return form;
}
