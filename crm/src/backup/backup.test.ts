import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { variablePrefix } from '@crm/service/process';
import { freshDatabase } from '@crm/testing';
import pg from 'pg';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { rowsOf } from '../../test/database-of.ts';
import { addContact, campaignIn, first, get, makerIn } from '../../test/requests.ts';
import { crm, environmentWith, project } from '../../test/run-crm.ts';
import { newTestSystem, type StartedSystem } from '../../test/test-system.ts';
import { stores } from '../system/stores.ts';
import { fileOf, type Manifest, writeManifest } from './manifest.ts';

const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));

/** The variables that name the databases of a running system. */
function databasesOf(folder: string): Record<string, string> {
  const { databaseUrls } = JSON.parse(readFileSync(join(folder, 'system.json'), 'utf8'));
  return Object.fromEntries(
    Object.entries<string>(databaseUrls).map(([name, url]) => [`${variablePrefix(name)}_DATABASE_URL`, url]),
  );
}

/** Schedules two e-mails of a campaign, one of them due, that nobody sends, and returns their ids. */
async function scheduleEmails(system: StartedSystem, folder: string) {
  const make = makerIn(system);
  const id = await campaignIn(make, [36_000]);
  for (const email of ['grace@example.com', 'ada@example.com'])
    await make(`/campaigns/${id}/contacts`, { contact_id: (await make('/contacts', { email })).id });
  const [due, later] = await rowsOf(folder, 'scheduling', 'select id from communications order by id');
  await rowsOf(
    folder,
    'scheduling',
    `update communications set send_at = now(), next_attempt_at = now(), dispatch_state = 'Sending', lease_until = now() + interval '1 hour'
     where id = ${due?.id}`,
  );
  return { due: due?.id, later: later?.id };
}

/**
 * Waits for the due messages of a running system other than communications, whose rows would otherwise change after a restore.
 */
async function untilSent(folder: string): Promise<void> {
  for (const [service, { messages = [] }] of Object.entries(stores))
    for (const { name, state, waiting } of messages.filter(({ name }) => name !== 'communications')) {
      const due = `select from ${name} where ${state} in ('${waiting}', 'Sending', 'Unknown') and next_attempt_at <= now()`;
      await expect.poll(() => rowsOf(folder, service, due), { timeout: 60_000 }).toEqual([]);
    }
}

const addEvent = `insert into events (version, user_id, contact_id, source, type, created_at, modified_at)
  select 1, owner_user_id, id, 'api', 'call', now(), now() from contacts order by id limit 1`;

/** Adds a second partition to the activity, with an event in each. */
const dividedActivity = `
  do $$
  declare
    next bigint;
  begin
    ${addEvent} returning events.id + 1 into next;
    alter table events detach partition events_0;
    execute format('alter table events attach partition events_0 for values from (minvalue) to (%s)', next);
    execute format('create table events_%1$s partition of events for values from (%1$s) to (maxvalue)', next);
    ${addEvent};
  end
  $$`;

/** A new database, and a connection to it, until the test ends. */
async function emptyDatabase() {
  const database = await freshDatabase([]);
  onTestFinished(database.drop);
  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  onTestFinished(() => client.end());
  return { client, url: database.adminUrl };
}

const schemas = Object.values(stores).map(({ schema }) => schema);

/** A table with the same number in each service, which changes in all of them at once until the test ends. */
async function changeTogether({ client, url }: Awaited<ReturnType<typeof emptyDatabase>>): Promise<void> {
  for (const schema of schemas)
    await client.query(
      `create table ${schema}.moments as select 1 as n; grant select on ${schema}.moments to public`,
    );
  const changes = schemas.map((schema) => `update ${schema}.moments set n = n + 1;`).join('\n');
  const { processID } = client as typeof client & { processID: number };
  const changing = client
    .query(`do $$ begin loop ${changes} commit; end loop; end $$`)
    .catch(() => undefined);
  onTestFinished(async () => {
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    await other.query('select pg_cancel_backend($1)', [processID]);
    await other.end();
    await changing;
  });
}

describe('a backup', async () => {
  const scratch = await mkdtemp(join(tmpdir(), 'crm-backup-'));
  const [old, restored] = [await newTestSystem(), await newTestSystem()];
  afterAll(async () => {
    await Promise.all([old.close(), restored.close()]);
    await rm(scratch, { recursive: true });
  });
  const folder = join(scratch, 'backup');

  it('is restored completely, with its keys, events and tokens, even revoked ones; what is due by then is not sent', async () => {
    const system = await old.start('--demo');
    const { due, later } = await scheduleEmails(system, old.folder);
    const { token } = first(system);
    await rowsOf(old.folder, 'contacts', dividedActivity);
    const contacts = await get(system, token, '/contacts?$limit=100');
    // Events in months and days with a partition in the old database but none in the restored one until it starts.
    await rowsOf(
      old.folder,
      'contacts',
      `insert into audit_events (id, created_at, actor_type, request_id, action)
       select gen_random_uuid(), now() - days * interval '1 day', 'user', 'test', 'test' from unnest('{0,60,90,0}'::int[]) days`,
    );
    await rowsOf(old.folder, 'contacts', 'select add_audit_partitions()');
    await untilSent(old.folder);
    expect(await crm(['backup', folder, '--json'], old.env)).toMatchObject({ code: 0, stderr: '' });
    expect(await crm(['backup', folder], old.env)).toMatchObject({ code: 2 });
    const withoutKeys = { ...databasesOf(old.folder), CRM_DATA_DIR: join(scratch, 'elsewhere') };
    const refused = await crm(['backup', join(scratch, 'keyless')], withoutKeys);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('has no keys.json') });
    expect(existsSync(join(scratch, 'keyless'))).toBe(false);
    // The backup does not know of it, so the token works after the restoration.
    expect(await crm(['tokens', 'revoke', token], old.env)).toMatchObject({ code: 0 });
    await system.end();
    for (const path of [
      folder,
      ...readdirSync(folder, { recursive: true }).map((file) => join(folder, `${file}`)),
    ])
      expect(statSync(path).mode & 0o077, `others may not open ${path}`).toBe(0);
    const { services } = manifestIn(folder);
    expect(services.contacts.tables.audit_events?.rows).toBeGreaterThan(contacts.total);
    expect(services.contacts.tables.events?.rows, 'an event of each partition').toBe(2);
    expect(services.contacts.tables.contacts?.rows).toBeGreaterThan(contacts.total - 1);

    const done = await crm(['restore', folder, '--json'], restored.env);
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(done.stdout).withheld).toMatchObject({ scheduling: 1 });
    for (const name of ['keys.json', 'operator-token'])
      expect(readFileSync(join(restored.folder, name), 'utf8'), name).toBe(
        readFileSync(join(old.folder, name), 'utf8'),
      );
    // The same rows with the same hashes, before anything has run on them.
    const second = join(scratch, 'second');
    expect(await crm(['backup', second], restored.env)).toMatchObject({ code: 0 });
    const again = manifestIn(second).services;
    for (const { scheduling, 'leads-routing': leadsRouting } of [services, again])
      for (const table of [scheduling, leadsRouting]) delete table.tables.restorations;
    for (const { scheduling } of [services, again]) delete scheduling.tables.communications;
    expect(again).toEqual(services);
    expect((await crm(['restore', folder], restored.env)).stderr).toContain('is in use');

    const running = await restored.start('--no-demo');
    expect(await get(running, token, '/contacts?$limit=100')).toEqual(contacts);
    const states = 'select id, dispatch_state from communications order by id';
    expect(await rowsOf(restored.folder, 'scheduling', states)).toEqual([
      { id: due, dispatch_state: 'Failed' },
      { id: later, dispatch_state: 'Scheduled' },
    ]);
    // Only after the relay has found that the new broker has no events does it publish them.
    const lost = 'select from published_streams where lost_at is not null';
    await expect.poll(() => rowsOf(restored.folder, 'contacts', lost)).toHaveLength(1);
    const unpublished = 'select from outbox where published_at is null';
    await expect.poll(() => rowsOf(restored.folder, 'contacts', unpublished)).toEqual([]);
    const created = await addContact({ ...running, people: system.people }, 'new@example.com');
    expect(created.status).toBe(201);

    // A database in use, and a folder without keys: those of the backup are not copied there.
    const other = join(scratch, 'other');
    const inUse = { ...databasesOf(restored.folder), PORT: restored.env.PORT, CRM_DATA_DIR: other };
    expect((await crm(['restore', folder], inUse)).stderr).toContain('is in use');
    expect(existsSync(join(other, 'keys.json'))).toBe(false);
  });

  it('is restored again after an interrupted restore, and until then nothing starts on the partial data', async () => {
    const { client, url } = await emptyDatabase();
    const env = { ...restored.env, CRM_DATA_DIR: join(scratch, 'killed'), DATABASE_URL: url };
    // It waits for the last service until it is killed.
    const lock = "hashtext('crm.migrate'), hashtext('leads_routing')";
    await client.query(`select pg_advisory_lock(${lock})`);
    const isLoaded = "select to_regclass('contacts.migrations') is not null as is_loaded";
    const killed = spawn(process.execPath, ['crm/src/main.js', 'restore', folder], {
      cwd: project,
      env: environmentWith(env),
      stdio: 'ignore',
    });
    const ended = once(killed, 'exit');
    await expect
      .poll(async () => (await client.query(isLoaded)).rows[0]?.is_loaded, { timeout: 60_000 })
      .toBe(true);
    killed.kill('SIGKILL');
    await ended;
    await client.query(`select pg_advisory_unlock(${lock})`);
    const refused = await crm(['migrate'], env);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Repeat `crm restore`') });
    expect((await crm(['withhold'], env)).stderr).toContain('`crm restore` was interrupted');
    expect(await crm(['restore', folder], env)).toMatchObject({ code: 0, stderr: '' });
    const { services } = manifestIn(folder);
    const { rows } = await client.query('select count(*)::int as n from contacts.contacts');
    expect(rows).toEqual([{ n: services.contacts.tables.contacts?.rows }]);
    expect(await crm(['migrate'], env)).toMatchObject({ code: 0 });
    expect((await crm(['restore', folder], env)).stderr).toContain('is in use');
  });

  it('is refused by a version that lacks its migrations, or in a folder with other keys, without changing anything', async () => {
    const { client, url } = await emptyDatabase();
    const data = join(scratch, 'keyed');
    const env = { ...restored.env, CRM_DATA_DIR: data, DATABASE_URL: url };
    const newer = join(scratch, 'newer');
    cpSync(folder, newer, { recursive: true });
    const manifest = manifestIn(newer);
    manifest.services.scheduling.migrations.push('9999-of-a-newer-version');
    writeManifest(newer, manifest);
    expect((await crm(['restore', newer], env)).stderr).toContain('made by a newer version');
    mkdirSync(data, { recursive: true });
    writeFileSync(join(data, 'keys.json'), '{}');
    expect((await crm(['restore', folder], env)).stderr).toContain('differ from those in the backup');
    expect(readFileSync(join(data, 'keys.json'), 'utf8')).toBe('{}');
    expect((await crm(['withhold'], env)).stderr).toContain('has no data. Restore it first');
    const tables = 'select from pg_tables where schemaname = any($1::text[])';
    expect((await client.query(tables, [schemas])).rows).toEqual([]);
  });

  it('contains all services in one database as of the same moment', async () => {
    const database = await emptyDatabase();
    const env = { ...restored.env, CRM_DATA_DIR: join(scratch, 'together'), DATABASE_URL: database.url };
    mkdirSync(env.CRM_DATA_DIR);
    copyFileSync(join(old.folder, 'keys.json'), join(env.CRM_DATA_DIR, 'keys.json'));
    expect(await crm(['migrate'], env)).toMatchObject({ code: 0 });
    await changeTogether(database);
    const saved = join(scratch, 'moments');
    expect(await crm(['backup', saved], env)).toMatchObject({ code: 0 });
    const hashes = Object.values(manifestIn(saved).services).map(({ tables }) => tables.moments?.sha256);
    expect(hashes).toEqual(schemas.map(() => hashes[0]));
  });

  it('is refused when it is damaged, before anything is restored', async () => {
    const env = { ...restored.env, CRM_DATA_DIR: join(scratch, 'empty') };
    const file = fileOf(folder, 'contacts', 'contacts');
    const whole = readFileSync(file);
    for (const damaged of [whole.subarray(0, -1), Buffer.from('damaged'), gzipSync('1\tAda\n')]) {
      writeFileSync(file, damaged);
      const { code, stderr } = await crm(['restore', folder], env);
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('missing or damaged') });
    }
    expect((await crm(['restore', scratch], env)).stderr).toContain('no complete backup');
    expect(existsSync(join(scratch, 'empty', 'postgres'))).toBe(false);
  });
});
