import { type Query, queryIds, queryRows, untilFewer } from '@crm/data';
import { z } from 'zod';
import { deleteSome } from '../delete-in-portions.queries.ts';
import { Origin } from '../on-behalf/origin.ts';

const Abandoned = z.object({ id: z.int(), status: z.enum(['Uploading', 'Mapping']), origin: Origin });

/** Locks some abandoned imports: uploads that stopped an hour ago, and files whose columns nobody has confirmed for a day. */
export const lockAbandoned = (query: Query) =>
  queryRows(
    query,
    Abandoned,
    `select id, status, origin from imports
     where ended_at is null and (
       status = 'Uploading' and modified_at < now() - interval '1 hour'
       or status = 'Mapping' and modified_at < now() - interval '1 day')
     order by id limit 100 for update skip locked`,
    [],
  );

/**
 * Deletes some of what an import found before it was restarted. Returns whether there may be more. Nothing new is found in the
 * meantime, because the import is locked and continues only once its mark is removed.
 */
export async function forgetSomeFindings(query: Query, importId: number): Promise<boolean> {
  const marked = 'select from imports where id = $1 and forgets_findings for update';
  if ((await query(marked, [importId])).length === 0) return false;
  for (const table of ['import_remarks', 'import_rehearsals'])
    if (await deleteSome(query, table, 'import_id', importId)) return true;
  await query('update imports set forgets_findings = false where id = $1', [importId]);
  return false;
}

const Forgotten = z.object({ id: z.int(), forgets_findings: z.boolean() });

/** The imports that have ended and whose files are not deleted yet. */
export const findForgotten = (query: Query) =>
  queryRows(query, Forgotten, 'select id, forgets_findings from imports where forgets_file order by id', []);

/**
 * Deletes the text of the parts of a file, so few at a time that a statement takes a fraction of a second. Their hashes are
 * kept, so that a repeated upload is recognized.
 */
export async function emptyParts(query: Query, importId: number): Promise<void> {
  await untilFewer(20, (most) =>
    query(
      `update import_parts set text = '' where ctid = any(array(
         select ctid from import_parts where import_id = $1::int and text <> '' limit $2::int))
       returning true as emptied`,
      [importId, most],
    ),
  );
}

export async function noteForgotten(query: Query, importId: number): Promise<void> {
  await query('update imports set forgets_file = false, forgets_findings = false where id = $1', [importId]);
}

/** An import that ended 30 days ago, the earliest first. */
export async function findOldImport(query: Query): Promise<number | undefined> {
  const text = "select id from imports where ended_at < now() - interval '30 days' order by ended_at limit 1";
  return (await queryIds(query, text, []))[0];
}
