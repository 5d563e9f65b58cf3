import pg from 'pg';
import { tablesOf } from './dump-service.ts';

const begin = 'begin isolation level repeatable read read only';

/**
 * Begins a transaction on each connection, and returns its time. All connections to the same database see the same state. The
 * tables are locked before that state is fixed: rows that are moved to another partition afterwards would be newer than it, and
 * the partition that had them would no longer exist.
 */
export async function beginTogether(clients: readonly pg.Client[]): Promise<string> {
  for (const client of clients) await beginLocked(client);
  const [first, ...others] = clients;
  const { rows } = (await first?.query<{ snapshot: string; now: string }>(
    "select pg_export_snapshot() as snapshot, to_json(statement_timestamp()) #>> '{}' as now",
  )) ?? { rows: [] };
  const [{ snapshot = '', now = '' } = {}] = rows;
  for (const client of others)
    await client
      .query(`set transaction snapshot '${snapshot}'`)
      // Another database has its own snapshot.
      .catch(() => client.query('rollback').then(() => beginLocked(client)));
  return now;
}

/** A lock of a table holds for its partitions too. */
async function beginLocked(client: pg.Client): Promise<void> {
  const tables = (await tablesOf(client)).map(pg.escapeIdentifier);
  await client.query(begin);
  if (tables.length > 0) await client.query(`lock table ${tables.join(', ')} in access share mode`);
}
