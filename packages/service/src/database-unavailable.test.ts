import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate, provisionRole } from '@crm/data';
import { type EmbeddedServer, startPostgres } from '@crm/embedded';
import { startMetrics } from '@crm/telemetry/start';
import { faultyProxy, reservePort, someone, untilWaiting } from '@crm/testing';
import { Migration } from '@mikro-orm/migrations';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { notesService } from '../test/notes.ts';
import { startNotes } from '../test/start-notes.ts';
import type { RunningService } from './index.ts';

const anna = someone();
let dataDir: string;
let postgres: EmbeddedServer;
let databaseUrl: string;
let service: RunningService;
let metricsPort: number;
let stopMetrics: () => Promise<void>;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'crm-test-unavailable-'));
  postgres = await startPostgres({ dataDir });
  databaseUrl = await provisionRole(postgres.url, 'notes');
  metricsPort = await reservePort();
  stopMetrics = await startMetrics({ host: '127.0.0.1', port: metricsPort });
  service = await startNotes(databaseUrl);
});

afterAll(async () => {
  await service.close();
  await stopMetrics();
  await postgres.stop();
  await rm(dataDir, { recursive: true });
});

const call = (procedure: string, input: object) =>
  service
    .call({ procedure, input, credential: { actor: anna }, requestId: 'r' })
    .then(() => 'done')
    .catch((error: Error) => error.name);

const ready = async () => (await fetch(`${service.url}/readyz`)).status;

/** What the metrics say of whether services are ready. */
async function readiness(): Promise<readonly string[]> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return [...text.matchAll(/^crm_ready\{.*crm_service="(\w+)".*\} (\d)/gm)].map(
    ([, name, value]) => `${name} ${value}`,
  );
}

describe('a service whose database becomes unavailable', () => {
  it('responds with Unavailable, and recovers by itself with nothing lost', async () => {
    expect(await call('notes.create', { text: 'before' })).toBe('done');
    await postgres.stop();

    for (const [procedure, input] of [
      ['notes.find', {}],
      ['notes.create', { text: 'during' }],
    ] as const) {
      expect(await call(procedure, input)).toBe('Unavailable');
    }
    expect(await ready()).toBe(503);
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    const other = { ...notesService, name: 'others' };
    const starting = startNotes(databaseUrl, { definition: other });
    const first = await Promise.race([starting.catch(() => 'ended'), sleep(500, 'waits')]);
    expect(first).toBe('waits');
    expect((await readiness()).toSorted()).toEqual(['notes 0', 'others 0']);

    postgres = await startPostgres({ dataDir });
    await expect.poll(ready, { timeout: 60_000 }).toBe(200);
    await expect.poll(() => call('notes.create', { text: 'after' }), { timeout: 60_000 }).toBe('done');
    expect(await service.database.query('select text from notes order by id', [])).toEqual([
      { text: 'before' },
      { text: 'after' },
    ]);
    const started = await starting;
    expect((await readiness()).toSorted()).toEqual(['notes 1', 'others 1']);
    await started.close();
  });

  it.each([1, 2])('starts although it refuses connection %i of a start', async (refused) => {
    let connections = 0;
    const proxy = await faultyProxy(() => {
      connections += 1;
      return connections === refused ? undefined : databaseUrl;
    });
    onTestFinished(proxy.close);
    const url = new URL(databaseUrl);
    url.port = String(proxy.port);
    const other = await startNotes(url.href);
    onTestFinished(other.close);
    expect(connections).toBeGreaterThan(refused);
  });

  it('starts although it fails a worker that begins', async () => {
    let begun = 0;
    const worker = async () => {
      begun += 1;
      if (begun === 1) throw new Error('Connection terminated unexpectedly');
      return { stop: async () => undefined };
    };
    const definition = { ...notesService, workers: [worker] };
    await (await startNotes(databaseUrl, { definition })).close();
    expect(begun).toBe(2);
  });

  it.each([
    ['28P01', (role: string) => `alter role ${role} password 'another'`],
    ['28000', (role: string) => `alter role ${role} nologin`],
  ])('responds with Unavailable while it is not let in (%s), and a start ends', async (code, refuse) => {
    const { username, password } = new URL(databaseUrl);
    const admin = new pg.Client({ connectionString: postgres.url });
    await admin.connect();
    onTestFinished(() => admin.end());
    const letIn = () => admin.query(`alter role ${username} login password '${password}'`);
    await admin.query(refuse(username));
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [
      username,
    ]);
    for (const procedure of ['notes.find', 'notes.create'])
      expect(await call(procedure, { text: 'x' })).toBe('Unavailable');
    expect(await ready()).toBe(503);
    await expect(startNotes(databaseUrl)).rejects.toThrow(expect.objectContaining({ code }));
    await letIn();
    await expect.poll(ready, { timeout: 10_000 }).toBe(200);
    await expect.poll(() => call('notes.create', { text: 'let in' }), { timeout: 10_000 }).toBe('done');
  });

  it('migrates without holding up those who read while somebody reads for long', async () => {
    const reader = new pg.Client({ connectionString: databaseUrl });
    await reader.connect();
    onTestFinished(() => reader.end());
    await reader.query('begin; select from notes.notes');
    const order: string[] = [];
    const { store } = notesService;
    class MoreNotes extends Migration {
      override up() {
        this.addSql('alter table notes add column more text');
      }
    }
    const migrations = [...store.migrations, { name: '0002-more', load: async () => ({ MoreNotes }) }];
    const migrating = migrate(databaseUrl, { ...store, migrations }).then(() => order.push('migrated'));
    await untilWaiting((sql, values = []) => service.database.query(sql, values), [migrating]);
    await service.database.query('select id from notes', []);
    order.push('read');
    await reader.query('commit');
    await migrating;

    expect(order).toEqual(['read', 'migrated']);
    expect(await service.database.query('select more from notes limit 1', [])).toEqual([{ more: null }]);
  });
});
