import { setTimeout as sleep } from 'node:timers/promises';
import { clientOver } from '@crm/client';
import { freshDatabase, someone } from '@crm/testing';
import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { notesApi, notesService } from '../test/notes.ts';
import { startNotes } from '../test/start-notes.ts';
import type { WorkerContext } from './index.ts';

const fresh = await freshDatabase([notesService.store]);
let background: WorkerContext | undefined;
const captureContext = async (context: WorkerContext) => {
  background = context;
  return { stop: async () => undefined };
};
const service = await startNotes(fresh.urls.notes, {
  definition: { ...notesService, workers: [captureContext] },
});
afterAll(async () => {
  await service.close();
  await fresh.drop();
});

/** Keeps everybody from reading notes until the returned connection ends. */
async function lockNotes() {
  const holder = new pg.Client({ connectionString: fresh.adminUrl });
  await holder.connect();
  await holder.query('begin; lock table notes.notes in access exclusive mode');
  return holder;
}

/** How many connections wait for the lock, as work in the background sees it. */
async function waiting() {
  const text = `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return Number((await background?.database.query(text, []))?.[0]?.count);
}

it('lets reads leave connections to changes, and requests leave connections to everything else', async () => {
  const holder = await lockNotes();
  const notes = () => clientOver(notesApi, service.call, { actor: someone() }).notes;
  let isOver = false;
  // Again and again, because none of them waits for long.
  const repeated = async (request: () => Promise<unknown>) => {
    for (; !isOver; await sleep(10)) await request().catch(() => undefined);
  };
  const tenTimes = (request: () => Promise<unknown>) => Array.from({ length: 10 }, () => repeated(request));
  const requests = tenTimes(() => notes().find({}));
  await expect.poll(waiting).toBe(7);
  requests.push(...tenTimes(() => notes().create({ text: 'new' })));
  await expect.poll(waiting).toBe(10);

  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  expect(await service.lag()).toMatchObject({ waiting: 0 });
  await expect.poll(waiting).toBe(10);
  isOver = true;
  await holder.end();
  await Promise.all(requests);
});
