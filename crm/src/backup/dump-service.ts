import { createHash } from 'node:crypto';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { fileOf, type ServiceBackup, type TableBackup } from './manifest.ts';

/** Writes all tables of a service into the folder, as the transaction of the connection sees them. */
export async function dumpService(
  client: pg.Client,
  service: string,
  folder: string,
): Promise<ServiceBackup> {
  const tables: Record<string, TableBackup> = {};
  for (const table of await tablesOf(client)) {
    const columns = await columnsOf(client, table);
    const file = fileOf(folder, service, table);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const zip = createGzip({ level: 4 });
    const writing = pipeline(zip, createWriteStream(file, { mode: 0o600 }));
    const [backup] = await Promise.all([copyOut(client, table, columns, zip), writing]);
    tables[table] = backup;
  }
  const migrations = await namesIn(client, 'select name from migrations order by id');
  return { migrations, tables, sequences: await sequencesOf(client) };
}

/** Writes the rows of a table to a stream, if one is given, and returns their number and hash. */
export async function copyOut(
  client: pg.Client,
  table: string,
  columns: readonly string[],
  target?: NodeJS.WritableStream,
): Promise<TableBackup> {
  const source = client.query(copyTo(`copy ${await copySource(client, table, columns)} to stdout`));
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk);
      done(null, target ? chunk : undefined);
    },
  });
  if (target) await pipeline(source, hashing, target);
  else await pipeline(source, hashing.resume());
  return { columns: [...columns], rows: source.rowCount, sha256: hash.digest('hex') };
}

/** The table and its columns in the form that COPY expects. */
export function copyTarget(table: string, columns: readonly string[]): string {
  return `${pg.escapeIdentifier(table)} (${columns.map(pg.escapeIdentifier).join(', ')})`;
}

/**
 * The rows of a table; those of a partitioned one in the order of its key or numbers, because its partitions may differ later.
 */
async function copySource(client: pg.Client, table: string, columns: readonly string[]): Promise<string> {
  const name = pg.escapeIdentifier(table);
  const key = await namesIn(
    client,
    `select attname as name from pg_class c join pg_attribute on attrelid = c.oid and attnum > 0
     left join pg_index on indrelid = c.oid and indisprimary
     where c.oid = $1::regclass and relkind = 'p' and coalesce(attnum = any(indkey), attidentity <> '')
     order by array_position(indkey::int2[], attnum)`,
    [name],
  );
  if (key.length === 0) return copyTarget(table, columns);
  const names = (of: readonly string[]) => of.map(pg.escapeIdentifier).join(', ');
  return `(select ${names(columns)} from ${name} order by ${names(key)})`;
}

/** All except partitions, which belong to another table, and the list of migrations, which the migrations themselves fill. */
export const tablesOf = (client: pg.Client) =>
  namesIn(
    client,
    `select relname as name from pg_class
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
     and relname <> 'migrations' order by relname`,
  );

/** The stored columns, without generated ones. */
const columnsOf = (client: pg.Client, table: string) =>
  namesIn(
    client,
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [pg.escapeIdentifier(table)],
  );

async function sequencesOf(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `select sequencename as name, last_value::text as last from pg_sequences
     where schemaname = current_schema() and last_value is not null order by sequencename`,
  );
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
}

async function namesIn(client: pg.Client, text: string, values: readonly unknown[] = []): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(text, [...values]);
  return rows.map(({ name }) => name);
}
