import type { User } from '@crm/auth';
import { plainName } from '@crm/contract';
import { type Query, queryFirst, queryRows, sqlOfVisible, storedDate } from '@crm/data';
import { Binds } from '@crm/query';
import { z } from 'zod';
import { customFieldRows } from '../custom-fields/custom-field.queries.ts';
import { ImportView } from '../imports/import.api.ts';
import { readPortion } from '../imports/read-portion.ts';
import { StoredMapping } from '../imports/stored-mapping.ts';

const Listed = ImportView.omit({
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
/** An import as the list shows it. */
export type Listed = z.output<typeof Listed>;
/** An import as its page shows it, with the names of the custom fields that columns can fill. */
export type Shown = Listed & { readonly customNames: ReadonlySet<string> };

const select = `select id, user_id, name, type, status, error, dry_run, duplicates, match, create_missing, tags,
  assigned_user_id, columns, bytes, progress, rows, created, updated, skipped, failed, warned, rows_per_second,
  created_at, headers, mapping, delimiter from imports`;

/** The newest imports of a user. */
export const importsOf = (query: Query, userId: number): Promise<Listed[]> =>
  queryRows(query, Listed, `${select} where user_id = $1 order by id desc limit 10`, [userId]);

/** An import of a user. */
export async function importOf(query: Query, user: User, id: number): Promise<Shown | undefined> {
  const found = await queryFirst(query, Listed, `${select} where user_id = $1 and id = $2`, [user.id, id]);
  return found && { ...found, customNames: await namesOfFields(query, user) };
}

const Named = z.object({ name: z.string() });

async function namesOfFields(query: Query, user: User): Promise<ReadonlySet<string>> {
  const binds = new Binds();
  const visible = `select name from custom_fields where ${sqlOfVisible(customFieldRows, user, binds)}`;
  const fields = await queryRows(query, Named, visible, binds.values);
  return new Set(fields.map(({ name }) => plainName(name)));
}

const previewRows = 10;

/** The first rows of a file, as many of them as can be read. */
export async function firstRows(query: Query, { id, headers, ...form }: Shown) {
  const isCsv = headers.length > 0;
  const { rows } = await readPortion(query, id, form, { offset: 0, line: 1 }, previewRows + (isCsv ? 1 : 0));
  return rows.slice(isCsv ? 1 : 0).map(({ cells }) => cells);
}
