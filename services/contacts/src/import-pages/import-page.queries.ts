import { type Query, queryFirst, queryRows, storedDate } from '@crm/data';
import { z } from 'zod';
import { ImportView } from '../imports/import.api.ts';
import { readPortion } from '../imports/read-portion.ts';
import { StoredMapping } from '../imports/stored-mapping.ts';

const Shown = ImportView.omit({
  created_at: true,
  modified_at: true,
  started_at: true,
  ended_at: true,
}).extend({
  created_at: storedDate,
  headers: z.array(z.string()),
  mapping: StoredMapping,
  delimiter: z.string().nullable(),
});
/** An import as its pages show it. */
export type Shown = z.output<typeof Shown>;

const select = `select id, user_id, name, type, status, error, dry_run, duplicates, match, create_missing, tags,
  assigned_user_id, columns, bytes, progress, rows, created, updated, skipped, failed, warned, rows_per_second,
  created_at, headers, mapping, delimiter from imports`;

/** The newest imports of a user. */
export const importsOf = (query: Query, userId: number): Promise<Shown[]> =>
  queryRows(query, Shown, `${select} where user_id = $1 order by id desc limit 10`, [userId]);

/** An import of a user. */
export function importOf(query: Query, userId: number, id: number): Promise<Shown | undefined> {
  return queryFirst(query, Shown, `${select} where user_id = $1 and id = $2`, [userId, id]);
}

const previewRows = 10;

/** The first rows of a file, as many of them as can be read. */
export async function firstRows(query: Query, { id, headers, ...form }: Shown) {
  const isCsv = headers.length > 0;
  const { rows } = await readPortion(query, id, form, { offset: 0, line: 1 }, previewRows + (isCsv ? 1 : 0));
  return rows.slice(isCsv ? 1 : 0).map(({ cells }) => cells);
}
