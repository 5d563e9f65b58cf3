import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { Unable } from '../system/unable.ts';
import { copyOut, copyTarget } from './dump-service.ts';
import { fileOf, type ServiceBackup } from './manifest.ts';

/** Throws if a file of a service is missing or has changed. Nothing is modified. */
export async function checkFiles(folder: string, service: string, { tables }: ServiceBackup): Promise<void> {
  for (const [table, { sha256 }] of Object.entries(tables)) {
    const hash = createHash('sha256');
    const into = new Writable({
      write(chunk, _encoding, done) {
        hash.update(chunk);
        done();
      },
    });
    const file = fileOf(folder, service, table);
    const reading = pipeline(createReadStream(file), createGunzip(), into);
    const isRead = await reading.then(
      () => true,
      () => false,
    );
    if (!isRead || hash.digest('hex') !== sha256)
      throw new Unable('NoBackup', `${file} is missing or damaged. Nothing was restored.`);
  }
}

/**
 * Loads all tables of a service in one transaction, into a schema with the migrations of the backup whose rows can be discarded.
 */
export async function loadService(
  client: pg.Client,
  folder: string,
  service: string,
  { tables, sequences }: ServiceBackup,
): Promise<void> {
  await client.query('begin');
  await client.query('set constraints all deferred');
  const names = await parentsFirst(client, Object.keys(tables));
  // The rows that the migrations themselves have added.
  await client.query(`truncate ${names.map(pg.escapeIdentifier).join(', ')}`);
  for (const table of names) await loadTable(client, folder, service, table, tables[table]);
  for (const [sequence, last] of Object.entries(sequences))
    await client.query('select setval($1::regclass, $2)', [pg.escapeIdentifier(sequence), last]);
  await client.query('commit');
}

async function loadTable(
  client: pg.Client,
  folder: string,
  service: string,
  table: string,
  backup: ServiceBackup['tables'][string] | undefined,
) {
  if (!backup) return;
  const name = pg.escapeIdentifier(table);
  // The backup already contains what triggers derive.
  await client.query(`alter table ${name} disable trigger user`);
  const target = client.query(copyFrom(`copy ${copyTarget(table, backup.columns)} from stdin`));
  await pipeline(createReadStream(fileOf(folder, service, table)), createGunzip(), target);
  await client.query(`alter table ${name} enable trigger user`);
  const { sha256 } = await copyOut(client, table, backup.columns);
  if (sha256 !== backup.sha256)
    throw new Unable(
      'NoBackup',
      `The table ${service}.${table} differs from the backup. None of its rows were kept.`,
    );
}

/** The tables, each after those that it refers to. */
async function parentsFirst(client: pg.Client, tables: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ child: string; parent: string }>(
    `select distinct child.relname as child, parent.relname as parent
     from pg_constraint join pg_class child on child.oid = conrelid join pg_class parent on parent.oid = confrelid
     where contype = 'f' and connamespace = current_schema()::regnamespace and conrelid <> confrelid`,
  );
  const ordered: string[] = [];
  const left = new Set(tables);
  while (left.size > 0) {
    const ready = [...left].filter(
      (table) => !rows.some(({ child, parent }) => child === table && left.has(parent)),
    );
    if (ready.length === 0) throw new Error(`These tables refer to one another: ${[...left].join(', ')}.`);
    for (const table of ready) {
      left.delete(table);
      ordered.push(table);
    }
  }
  return ordered;
}
