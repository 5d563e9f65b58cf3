import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { markUnfinished } from '@crm/data';
import { startPostgres } from '@crm/embedded';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { clientOf, rowsOf } from '../../test/database-of.ts';
import { campaignIn, makerIn } from '../../test/requests.ts';
import { crm } from '../../test/run-crm.ts';
import { newTestSystem } from '../../test/test-system.ts';
import { stores } from '../system/stores.ts';
import { type Manifest, writeManifest } from './manifest.ts';

/** Blocks a service at the table until it is released. Its rows can be read. */
async function holdUp(folder: string, service: string, table: string): Promise<() => Promise<void>> {
  const client = await clientOf(folder, service);
  await client.query(`begin; lock table ${table} in exclusive mode`);
  return () => client.end();
}

/** Turns a backup into one of a release that did not record restores. */
function asOfReleaseBefore(folder: string): void {
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest;
  for (const { tables, migrations } of Object.values(manifest.services)) {
    delete tables.restorations;
    const last = migrations.indexOf('0310-restorations');
    if (last !== -1) migrations.splice(last, 1);
  }
  writeManifest(folder, manifest);
}

/** Works in the schema of scheduling while the system is stopped. */
async function inDatabaseOf(dataDir: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const postgres = await startPostgres({ dataDir });
  const client = new pg.Client({ connectionString: postgres.url, options: '-c search_path=scheduling' });
  await client.connect();
  await work(client);
  await client.end();
  await postgres.stop();
}

describe('a backup that was made before messages were sent', async () => {
  const scratch = await mkdtemp(join(tmpdir(), 'crm-sendings-'));
  const [old, restored] = [await newTestSystem(), await newTestSystem()];
  afterAll(async () => {
    await Promise.all([old.close(), restored.close()]);
    await rm(scratch, { recursive: true });
  });
  const folder = join(scratch, 'backup');
  const statesIn = (at: string) =>
    rowsOf(
      at,
      'scheduling',
      'select dispatch_state, count(*)::int from communications group by 1 order by 1',
    );

  it('is restored so that none of them is sent again, including those of bulk operations and late enrollments', async () => {
    const system = await old.start('--demo');
    await rowsOf(old.folder, 'scheduling', 'delete from communications');
    const make = makerIn(system);
    // Immediately, and in ten hours.
    const campaign_id = await campaignIn(make, [0, 36_000]);
    const contacts = [];
    for (const name of ['ada', 'bea', 'cleo', 'dora'])
      contacts.push((await make('/contacts', { email: `${name}@example.com` })).id);
    const [contact_id, ...contact_ids] = contacts;
    const releases = [
      await holdUp(old.folder, 'scheduling', 'enrolments'),
      await holdUp(old.folder, 'campaigns-templates', 'bulk_enrolments'),
    ];
    await make(`/campaigns/${campaign_id}/contacts`, { contact_id });
    const operation = await make('/bulk-operations', { action: 'enrol', campaign_id, contact_ids });
    expect(await crm(['backup', folder], old.env)).toMatchObject({ code: 0, stderr: '' });
    asOfReleaseBefore(folder);
    for (const release of releases) await release();
    const sent = [
      { dispatch_state: 'Scheduled', count: 4 },
      { dispatch_state: 'Sent', count: 4 },
    ];
    await expect.poll(() => statesIn(old.folder), { timeout: 60_000 }).toEqual(sent);
    await system.end();

    const done = await crm(['restore', folder, '--json'], restored.env);
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(done.stdout).withheld).toMatchObject({ contacts: 1 });
    await restored.start('--no-demo');
    const ended = `select status, failed from bulk_operations where id = ${operation.id}`;
    await expect
      .poll(() => rowsOf(restored.folder, 'contacts', ended), { timeout: 60_000 })
      .toEqual([{ status: 'Done', failed: 3 }]);
    const withheld = [
      { dispatch_state: 'Failed', count: 1 },
      { dispatch_state: 'Scheduled', count: 1 },
    ];
    await expect.poll(() => statesIn(restored.folder), { timeout: 60_000 }).toEqual(withheld);
  });

  it('is not restored if NATS has events, in the data folder or at NATS_URL, and nothing is changed', async () => {
    const { natsUrl } = JSON.parse(readFileSync(join(restored.folder, 'system.json'), 'utf8'));
    const remote = { ...old.env, CRM_DATA_DIR: join(scratch, 'remote'), NATS_URL: natsUrl };
    const local = { ...old.env, CRM_DATA_DIR: join(scratch, 'local') };
    cpSync(join(restored.folder, 'nats'), join(scratch, 'local', 'nats'), { recursive: true });
    const silent = { ...remote, NATS_URL: 'nats://127.0.0.1:9' };
    for (const [env, words] of [
      [remote, 'has streams of'],
      [local, 'has streams of'],
      [silent, 'does not respond'],
    ] as const) {
      const { code, stderr } = await crm(['restore', folder], env);
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(words) });
      for (const file of ['keys.json', 'postgres'])
        expect(existsSync(join(env.CRM_DATA_DIR, file)), file).toBe(false);
    }
  });

  it('that was restored by other means has them withheld by a command, which can be repeated', async () => {
    const withhold = (env: Readonly<Record<string, string>>) => crm(['withhold', '--json'], env);
    expect((await withhold(restored.env)).stderr).toContain('Stop it first');
    const nowhere = join(scratch, 'nowhere');
    expect((await withhold({ ...old.env, CRM_DATA_DIR: nowhere })).stderr).toContain('has no database');
    expect(existsSync(nowhere)).toBe(false);
    // The folder of the old system is what a copy of the disk would be.
    expect((await withhold(old.env)).stderr).toContain('has streams of');
    rmSync(join(old.folder, 'nats'), { recursive: true });
    await inDatabaseOf(old.folder, async (client) => {
      await client.query(
        `with waiting as (
           select id, row_number() over (order by id) as number from communications where dispatch_state = 'Scheduled'
         )
         update communications c set next_attempt_at = now(),
           dispatch_state = (array['Scheduled', 'Sending', 'Unknown'])[number],
           lease_until = case when number = 2 then now() + interval '1 hour' end
         from waiting w where w.id = c.id and number <= 3`,
      );
      for (const { schema } of Object.values(stores)) await markUnfinished(client, schema, 'withhold');
    });
    await expect(old.start('--no-demo')).rejects.toThrow('Repeat `crm withhold`');
    expect((await crm(['restore', folder], old.env)).stderr).toContain('is in use');
    expect(await crm(['migrate'], old.env)).toMatchObject({ code: 0 });
    for (const scheduling of [3, 0]) {
      const { code, stdout, stderr } = await withhold(old.env);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const none = { identity: 0, contacts: 0, 'campaigns-templates': 0, 'leads-routing': 0 };
      expect(JSON.parse(stdout)).toEqual({ withheld: { ...none, scheduling } });
    }
    await old.start('--no-demo');
    expect(await statesIn(old.folder)).toEqual([
      { dispatch_state: 'Failed', count: 3 },
      { dispatch_state: 'Scheduled', count: 1 },
      { dispatch_state: 'Sent', count: 4 },
    ]);
  });
});
