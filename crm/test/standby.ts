import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EmbeddedServer, startPostgres } from '@crm/embedded';
import pg from 'pg';
import { expect } from 'vitest';

const settings = { fsync: 'off', hot_standby: 'on' };

export const startPrimary = (dataDir: string): Promise<EmbeddedServer> =>
  startPostgres({ dataDir, settings });

/** Copies the current data of a running server into further data folders. */
export async function copyRunning(url: string, from: string, folders: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("select pg_backup_start('copy', true)");
    const [source, targets] = [join(from, 'postgres'), folders.map((folder) => join(folder, 'postgres'))];
    for (const target of targets) {
      mkdirSync(target, { recursive: true });
      execFileSync('cp', ['-a', join(source, 'data'), join(source, 'password'), target]);
    }
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    for (const target of targets) {
      const data = join(target, 'data');
      // The write-ahead log up to the end of the copy, without which the copy does not start.
      execFileSync('cp', ['-a', join(source, 'data/pg_wal'), data]);
      for (const own of ['postmaster.pid', 'postmaster.opts']) rmSync(join(data, own), { force: true });
      writeFileSync(join(data, 'backup_label'), rows[0]?.labelfile ?? '');
      writeFileSync(join(data, 'standby.signal'), '');
      execFileSync('chown', ['--reference', join(source, 'data'), join(data, 'backup_label')]);
      execFileSync('chown', ['--reference', join(source, 'data'), join(data, 'standby.signal')]);
    }
  } finally {
    await client.end();
  }
}

/** Starts a copy as a standby, which follows the other server if one is given. */
export function startStandby(dataDir: string, primary?: EmbeddedServer): Promise<EmbeddedServer> {
  if (!primary) return startPostgres({ dataDir, settings });
  const { hostname, port, username, password } = new URL(primary.url);
  const primary_conninfo = `host=${hostname} port=${port} user=${username} password=${password}`;
  return startPostgres({ dataDir, settings: { ...settings, primary_conninfo } });
}

/** Makes a server acknowledge writes only after its standby has stored them. */
export async function makeSynchronous(url: string): Promise<void> {
  const states = () => rowsAt(url, 'select sync_state from pg_stat_replication');
  await expect.poll(states, { timeout: 60_000 }).toHaveLength(1);
  await rowsAt(url, "alter system set synchronous_standby_names = '*'");
  await rowsAt(url, 'select pg_reload_conf()');
  await expect.poll(states, { timeout: 60_000 }).toEqual([{ sync_state: 'sync' }]);
}

export const promote = (url: string) => rowsAt(url, 'select pg_promote()');

export async function rowsAt(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
