import { freshDatabase, someone, startPgbouncer } from '@crm/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notesService } from '../test/notes.ts';
import { startNotes } from '../test/start-notes.ts';
import type { RunningService } from './index.ts';

/** Fewer than the service has connections. */
const sessions = 3;

const fresh = await freshDatabase([notesService.store]);
const databaseUrl = fresh.urls.notes ?? '';
const pgbouncer = await startPgbouncer([databaseUrl], { default_pool_size: sessions });
afterAll(async () => {
  await pgbouncer?.stop();
  await fresh.drop();
});

/** The database as if the pooler were PostgreSQL. */
const through = (poolerUrl = '') =>
  Object.assign(new URL(databaseUrl), { host: new URL(poolerUrl).host }).href;

describe.skipIf(!pgbouncer)(
  'a service behind PgBouncer, which is not installed where this is skipped',
  () => {
    let service: RunningService;
    let commits = 0;
    beforeAll(async () => {
      const countCommits = async ({
        commits: made,
      }: Parameters<(typeof notesService.workers)[number]>[0]) => {
        const unsubscribe = made.subscribe(() => {
          commits += 1;
        });
        return { stop: async () => unsubscribe() };
      };
      const definition = { ...notesService, workers: [countCommits] };
      service = await startNotes(databaseUrl, { definition, poolerUrl: pgbouncer?.url });
    });
    afterAll(() => service.close());

    const call = async (procedure: string, input: object, actor = someone()) => {
      const { text } = await service.call({ procedure, input, credential: { actor }, requestId: 'r' });
      return JSON.parse(text);
    };

    it('writes and reads with more requests at once than there are sessions', async () => {
      const users = Array.from({ length: 8 * sessions }, () => someone());
      const notes = await Promise.all(users.map((user) => call('notes.create', { text: 'mine' }, user)));
      const pages = await Promise.all(users.map((user) => call('notes.find', {}, user)));
      expect(pages.map(({ data }) => data)).toEqual(notes.map((note) => [note]));
      const liked = await Promise.all(
        notes.map((note, index) => call('notes.like', { id: String(note.id) }, users[index])),
      );
      expect(liked.map(({ likes }) => likes)).toEqual(notes.map(() => 1));
    });

    it('is notified of commits at once, and publishes their events', async () => {
      const before = commits;
      await call('notes.create', { text: 'notified' });
      await expect.poll(() => commits).toBeGreaterThan(before);
      await expect.poll(async () => (await service.lag()).waiting).toBe(0);
    });

    it('has its settings in every session', async () => {
      const all = `select jsonb_object_agg(name, setting) as settings, pg_backend_pid() as session, pg_sleep(0.1)
      from pg_settings
      where name in ('search_path', 'statement_timeout', 'lock_timeout', 'transaction_timeout', 'jit', 'TimeZone')`;
      const found = new Map<unknown, unknown>();
      const askTogether = async () => {
        const asked = Array.from({ length: 2 * sessions }, () => service.database.query(all, []));
        for (const [row] of await Promise.all(asked)) found.set(row?.session, row?.settings);
        return found.size;
      };
      await expect.poll(askTogether).toBe(sessions);
      const limits = { statement_timeout: '5000', lock_timeout: '2000', transaction_timeout: '60000' };
      for (const settings of found.values())
        expect(settings).toEqual({ search_path: 'notes', ...limits, jit: 'off', TimeZone: 'UTC' });
    });

    it('ends a read that takes too long, and no other statement of the session', async () => {
      await service.database.orm.em.fork({ clear: true }).transactional(async (em) => {
        await em.execute('lock table notes in access exclusive mode');
        await expect(call('notes.find', {})).rejects.toMatchObject({ reason: 'unavailable' });
      });
      const pages = Array.from({ length: 2 * sessions }, () => call('notes.find', {}));
      expect(await Promise.all(pages)).toHaveLength(2 * sessions);
    });

    it('that is given it as its database does not start, and says which variable is meant for it', async () => {
      const dropping = await startPgbouncer([databaseUrl], { ignore_startup_parameters: 'options' });
      for (const url of [pgbouncer?.url, dropping?.url])
        await expect(startNotes(through(url))).rejects.toThrow(/name the pooler in DATABASE_POOLER_URL/);
      await dropping?.stop();
    });
  },
);
