import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { remoteService } from '@crm/client';
import { unavailable } from '@crm/contract';
import { freshDatabase, reservePort, someone } from '@crm/testing';
import pg from 'pg';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { notesService } from '../test/notes.ts';
import { startNotes } from '../test/start-notes.ts';
import { createLog } from './index.ts';

const fresh = await freshDatabase([notesService.store]);
const file = join(tmpdir(), `crm-test-log-${randomUUID()}`);
const nobody = remoteService(`http://127.0.0.1:${await reservePort()}`);
const log = createLog('notes', 'info', file);
const service = await startNotes(fresh.urls.notes, {
  log,
  identity: nobody.call,
});
afterAll(async () => {
  await service.close();
  await nobody.close();
  await fresh.drop();
  await rm(file);
});

type Line = Readonly<Record<string, unknown>>;

/** The lines about a request. */
const linesOf = (requestId: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((text) => text.includes(requestId))
    .map((text) => JSON.parse(text) as Line);

const warning = 40;

describe('the log of a service says why it was unavailable, and nothing of what it was asked for', () => {
  it('for a change that waited too long for a lock', async () => {
    const holder = new pg.Client({ connectionString: fresh.adminUrl });
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query('begin; lock table notes.notes in access exclusive mode');
    const requestId = randomUUID();
    const actor = someone();
    await expect(
      service.call({
        procedure: 'notes.create',
        input: { text: 'canary' },
        credential: { actor },
        requestId,
      }),
    ).rejects.toMatchObject({ name: 'Unavailable' });
    await expect
      .poll(() => linesOf(requestId))
      .toMatchObject([
        {
          level: warning,
          procedure: 'notes.create',
          user: `user/${actor.id}`,
          outcome: 'Unavailable',
          cause: { code: '55P03', message: 'canceling statement due to lock timeout' },
        },
      ]);
    expect(JSON.stringify(linesOf(requestId))).not.toMatch(/canary|insert into|Call/);
  });

  it('for a request whose caller could not be authenticated', async () => {
    const requestId = randomUUID();
    const response = await fetch(`${service.url}/trpc/notes.find`, {
      headers: { authorization: `Bearer crm_op_${'x'.repeat(43)}`, 'x-request-id': requestId },
    });
    expect(response.status).toBe(503);
    await expect
      .poll(() => linesOf(requestId))
      .toMatchObject([{ level: warning, cause: { code: 'ECONNREFUSED' } }]);
  });

  it('for work that has failed with a transaction', () => {
    const requestId = randomUUID();
    const locked = Object.assign(new Error('insert into notes - a lock timeout'), { code: '55P03' });
    const failed = new Error('The transaction has failed.', { cause: unavailable({ cause: locked }) });
    log.warn({ err: new Error('The work has failed.', { cause: failed }), requestId }, 'work');
    expect(linesOf(requestId)).toMatchObject([
      { err: { message: 'The work has failed.', cause: { code: '55P03', message: 'a lock timeout' } } },
    ]);
  });

  it('not for what is refused for another reason', async () => {
    const requestId = randomUUID();
    const call = { input: { text: 'much too long' }, credential: { actor: someone() }, requestId };
    await expect(service.call({ ...call, procedure: 'notes.create' })).rejects.toMatchObject({
      name: 'BadRequest',
    });
    await expect.poll(() => linesOf(requestId)).toMatchObject([{ level: 30, outcome: 'BadRequest' }]);
    expect(linesOf(requestId)[0]).not.toHaveProperty('cause');
  });
});
