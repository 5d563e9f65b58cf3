import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { provisionRole } from '@crm/data';
import { type EmbeddedServer, startPostgres } from '@crm/embedded';
import { someone } from '@crm/testing';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { notesService } from '../test/notes.ts';
import { createLog, linkedPeers, machineClock, type RunningService, startService } from './index.ts';

const anna = someone();
let dataDir: string;
let postgres: EmbeddedServer;
let service: RunningService;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'crm-test-unavailable-'));
  postgres = await startPostgres({ dataDir });
  service = await startService(notesService, {
    databaseUrl: await provisionRole(postgres.url, 'notes'),
    natsUrl: inject('natsUrl'),
    host: '127.0.0.1',
    port: 0,
    peers: linkedPeers(
      {
        identity: async () => ({ text: JSON.stringify(anna), replayed: false }),
      },
      'notes',
    ),
    clock: machineClock,
    log: createLog('notes', 'silent'),
    checkAnswers: true,
  });
});

afterAll(async () => {
  await service.close();
  await postgres.stop();
  await rm(dataDir, { recursive: true });
});

const call = (procedure: string, input: object) =>
  service
    .call({ procedure, input, credential: { actor: anna }, requestId: 'r' })
    .then(() => 'done')
    .catch((error: Error) => error.name);

const ready = async () => (await fetch(`${service.url}/readyz`)).status;

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

    postgres = await startPostgres({ dataDir });
    await expect.poll(ready, { timeout: 10_000 }).toBe(200);
    await expect.poll(() => call('notes.create', { text: 'after' }), { timeout: 10_000 }).toBe('done');
    expect(await service.database.query('select text from notes order by id', [])).toEqual([
      { text: 'before' },
      { text: 'after' },
    ]);
  });
});
