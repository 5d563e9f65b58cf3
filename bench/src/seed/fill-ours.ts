import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { bypassTriggers, withoutIndexes } from './database.ts';
import {
  addressRow,
  contactColumns,
  contactRow,
  fieldRows,
  fieldValueRows,
  hotnessRows,
  type Row,
  type Size,
  shareRows,
  sourceRows,
  tagRows,
  tagRowsOf,
} from './rows.ts';

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rowsOf: (number: number, size: Size) => readonly Row[];
  readonly per: 'contacts' | 'owners';
}

const tables: readonly Table[] = [
  {
    name: 'hotnesses',
    columns: ['id', 'rank', 'user_id', 'name', 'color'],
    rowsOf: hotnessRows,
    per: 'owners',
  },
  {
    name: 'contact_sources',
    columns: ['id', 'name', 'user_id', 'created_at', 'modified_at'],
    rowsOf: sourceRows,
    per: 'owners',
  },
  { name: 'tags', columns: ['id', 'user_id', 'content'], rowsOf: tagRows, per: 'owners' },
  {
    name: 'custom_fields',
    columns: ['id', 'user_id', 'name', 'rank', 'data_type'],
    rowsOf: fieldRows,
    per: 'owners',
  },
  {
    name: 'contacts',
    columns: contactColumns,
    rowsOf: (id, size) => [contactRow(id, size)],
    per: 'contacts',
  },
  {
    name: 'addresses',
    columns: [
      ...['id', 'contact_id', 'type', 'street_address_1', 'zip', 'city', 'state'],
      ...['created_at', 'modified_at'],
    ],
    rowsOf: (id) => [addressRow(id)],
    per: 'contacts',
  },
  {
    name: 'contact_tags',
    columns: ['contact_id', 'position', 'tag_id', 'lead'],
    rowsOf: tagRowsOf,
    per: 'contacts',
  },
  {
    name: 'custom_field_values',
    columns: ['contact_id', 'custom_field_id', 'value'],
    rowsOf: fieldValueRows,
    per: 'contacts',
  },
  {
    name: 'contact_shares',
    columns: ['contact_id', 'user_id', 'shared_by_user_id', 'created_at'],
    rowsOf: shareRows,
    per: 'contacts',
  },
];

export const tableNames = tables.map(({ name }) => name);

/** Replaces all contacts of our system and what belongs to them. */
export async function fillOurs(db: pg.Client, size: Size, signal?: AbortSignal): Promise<void> {
  await bypassTriggers(db);
  await db.query('set search_path = contacts, public');
  await db.query(`truncate ${tableNames.join(', ')} restart identity cascade`);
  await withoutIndexes(db, 'contacts', tableNames, async () => {
    for (const table of tables) await copy(db, table, size, signal);
  });
  // As the worker makes them of what triggers have written.
  await db.query(`truncate contact_totals;
    insert into contact_totals (owner_user_id, contacts, is_base)
      select owner_user_id, count(*), true from contacts group by owner_user_id`);
  await settle(db, 'contacts');
}

/** Leaves a table as it is after a quiet night: ids continue, statistics are known, nothing waits to be written. */
export async function settle(db: pg.Client, schema: string): Promise<void> {
  const { rows } = await db.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = $1 and table_name = any($2) and column_name = 'id'`,
    [schema, tableNames],
  );
  for (const { name } of rows) {
    const table = `${schema}.${name}`;
    await db.query(
      `select setval(pg_get_serial_sequence($1, 'id'), (select coalesce(max(id), 0) + 1 from ${table}), false)`,
      [table],
    );
  }
  await db.query(`vacuum analyze ${tableNames.map((name) => `${schema}.${name}`).join(', ')}`);
  await db.query('checkpoint');
}

async function copy(
  db: pg.Client,
  { name, columns, rowsOf, per }: Table,
  size: Size,
  signal: AbortSignal | undefined,
): Promise<void> {
  const lines = Readable.from(portions(size[per], (number) => rowsOf(number, size)));
  await pipeline(lines, db.query(copyFrom(`copy ${name} (${columns.join(', ')}) from stdin`)), { signal });
}

/** No value contains a character that the format of COPY would escape. */
function* portions(count: number, rowsOf: (number: number) => readonly Row[]): Generator<string> {
  const each = 500;
  for (let first = 1; first <= count; first += each) {
    let text = '';
    for (let number = first; number <= Math.min(count, first + each - 1); number++)
      for (const row of rowsOf(number)) text += `${row.map((value) => value ?? '\\N').join('\t')}\n`;
    yield text;
  }
}
