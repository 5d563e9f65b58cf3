import { setTimeout as pause } from 'node:timers/promises';
import { type FaultyProxy, type FreshDatabase, faultyProxy, freshDatabase, someone } from '@crm/testing';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, type TestContext, vi } from 'vitest';
import { notesService } from '../test/notes.ts';

import { startNotes } from '../test/start-notes.ts';

let fresh: FreshDatabase;

beforeAll(async () => {
  fresh = await freshDatabase([notesService.store]);
});

afterAll(() => fresh.drop());

/** A service behind a link of its own, because the tests, which mostly wait, run at the same time. */
async function linkedService({ onTestFinished }: Pick<TestContext, 'onTestFinished'>) {
  const proxy = await faultyProxy(fresh.urls.notes ?? '');
  onTestFinished(proxy.close);
  const service = await startNotes(proxy.url);
  onTestFinished(service.close);
  // Of somebody new each time, because a user has only a share of the connections.
  const call = (procedure: string, input: object) =>
    service
      .call({ procedure, input, credential: { actor: someone() }, requestId: 'r' })
      .then(() => 'done')
      .catch((error: Error) => error.name);
  return { proxy, service, call, create: (text: string) => call('notes.create', { text }) };
}

/** Opens all connections of a pool. On a busy machine some may take longer than it waits. */
async function openAll(pool: pg.Pool) {
  const opened: pg.PoolClient[] = [];
  while (opened.length < 10)
    await pool.connect().then(
      (client) => opened.push(client),
      () => undefined,
    );
  for (const client of opened) client.release();
}

/** Tries again: on a busy machine it may take longer to connect than a request waits. */
const until = (ask: () => Promise<string>) =>
  vi.waitFor(async () => expect(await ask()).toBe('done'), { timeout: 60_000 });

describe.concurrent('a service whose connections to the database fall silent', () => {
  it('gives them all up together and works over new ones', async (test) => {
    const { proxy, service, call, create } = await linkedService(test);
    await openAll(service.database.pool);
    expect(proxy.silence().connections).toBeGreaterThanOrEqual(10);

    // Each fails to begin its transaction, and gives its place in the pool back.
    const during = await Promise.all(Array.from({ length: 10 }, () => create('during')));
    expect(during).toEqual(Array(10).fill('Unavailable'));
    await Promise.all([
      until(() => create('third')),
      until(() => create('fourth')),
      until(() => call('notes.find', {})),
    ]);
    const kept = "select distinct text from notes where text <> 'after' order by text";
    expect(await service.database.query(kept, [])).toEqual([{ text: 'fourth' }, { text: 'third' }]);
  });

  it('never uses one again that fell silent inside a transaction', async (test) => {
    const { proxy, service, create } = await linkedService(test);
    let silent: ReturnType<FaultyProxy['silence']> | undefined;
    const lost = service.database.orm.em
      .fork({ clear: true })
      .transactional(async (em) => {
        await em.execute('select 1');
        silent = proxy.silence();
        await em.execute('select 1');
      })
      .then(
        () => 'done',
        (error: Error) => error.message,
      );
    expect(await lost).toMatch(/Connection terminated|connection error/);
    const uses = silent?.uses();
    expect(uses).toBeGreaterThan(0);
    await Promise.all(Array.from({ length: 10 }, () => until(() => create('after'))));
    expect(silent?.uses()).toBe(uses);
  });

  it('stops all the same', async ({ onTestFinished }) => {
    const proxy = await faultyProxy(fresh.urls.notes ?? '');
    onTestFinished(proxy.close);
    const service = await startNotes(proxy.url);
    await service.database.query('select 1', []);
    proxy.silence();
    await service.close();
    expect(service.database.pool.ended).toBe(true);
  });

  it('keeps a transaction that waits for something else than the database', async (test) => {
    const { service } = await linkedService(test);
    await service.database.orm.em.fork({ clear: true }).transactional(async (em) => {
      const [before] = await em.execute('select pg_backend_pid() as pid');
      await pause(8_000);
      expect(await em.execute('select pg_backend_pid() as pid')).toEqual([before]);
    });
  });
});

describe.concurrent('a service that starts', () => {
  it('gives up a connection that falls silent, and starts over a new one', async ({ onTestFinished }) => {
    const link = await faultyProxy(fresh.urls.notes ?? '');
    onTestFinished(link.close);
    link.disturb({ isSilent: true });
    const starting = startNotes(link.url);
    await pause(500);
    link.disturb();
    const other = await starting;
    onTestFinished(other.close);
    expect(await fetch(`${other.url}/readyz`)).toMatchObject({ status: 200 });
  });

  it('waits for nobody who migrates if it has nothing to migrate', async ({ onTestFinished }) => {
    const other = new pg.Client({ connectionString: fresh.urls.notes });
    await other.connect();
    onTestFinished(() => other.end());
    await other.query("select pg_advisory_lock(hashtext('crm.migrate'), hashtext('notes'))");
    await (await startNotes(fresh.urls.notes)).close();
  });
});
