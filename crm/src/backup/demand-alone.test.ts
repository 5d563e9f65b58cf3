import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshDatabase } from '@crm/testing';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { crm } from '../../test/run-crm.ts';
import { makeDataFolder } from '../system/data-folder.ts';
import { ensureSecrets } from '../system/secrets.ts';

/** The environment of a system with a database of its own. */
async function databaseFor(folder: string) {
  const database = await freshDatabase([]);
  onTestFinished(database.drop);
  return { CRM_DATA_DIR: folder, DATABASE_URL: database.adminUrl };
}

/** A backup of a system without records. */
async function smallBackup(scratch: string): Promise<string> {
  const env = await databaseFor(join(scratch, 'saved'));
  makeDataFolder(env.CRM_DATA_DIR);
  ensureSecrets({}, env.CRM_DATA_DIR);
  expect(await crm(['migrate'], env)).toMatchObject({ code: 0 });
  const backup = join(scratch, 'backup');
  expect(await crm(['backup', backup], env)).toMatchObject({ code: 0 });
  return backup;
}

it('refuses a second command while a database is being restored, before it changes anything', async () => {
  const scratch = await mkdtemp(join(tmpdir(), 'crm-at-once-'));
  onTestFinished(() => rm(scratch, { recursive: true }));
  const backup = await smallBackup(scratch);
  const env = await databaseFor(join(scratch, 'first'));
  const client = new pg.Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  onTestFinished(() => client.end());
  // The first command waits here for the last service.
  const lock = "hashtext('crm.migrate'), hashtext('leads_routing')";
  await client.query(`select pg_advisory_lock(${lock})`);
  const restoring = crm(['restore', backup], env);
  const isLoaded = "select to_regclass('contacts.migrations') is not null as is_loaded";
  await expect
    .poll(async () => (await client.query(isLoaded)).rows[0]?.is_loaded, { timeout: 60_000 })
    .toBe(true);
  const elsewhere = { ...env, CRM_DATA_DIR: join(scratch, 'second') };
  for (const command of [['withhold'], ['restore', backup]]) {
    const { code, stderr } = await crm(command, elsewhere);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('already works on') });
  }
  expect(existsSync(join(elsewhere.CRM_DATA_DIR, 'keys.json'))).toBe(false);
  await client.query(`select pg_advisory_unlock(${lock})`);
  expect(await restoring).toMatchObject({ code: 0, stderr: '' });
  expect((await crm(['restore', backup], env)).stderr).toContain('is in use');
});
