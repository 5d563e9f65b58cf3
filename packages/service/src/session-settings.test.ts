import { storedDate } from '@crm/data';
import { freshDatabase, startPgbouncer } from '@crm/testing';
import pg from 'pg';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { notesService } from '../test/notes.ts';
import { startNotes } from '../test/start-notes.ts';

const { adminUrl, urls, drop } = await freshDatabase([notesService.store]);
afterAll(drop);
const url = urls.notes ?? '';

const defaults = {
  default_transaction_isolation: 'repeatable read',
  datestyle: 'SQL, DMY',
  synchronous_commit: 'off',
  standard_conforming_strings: 'off',
};
const administrator = new pg.Client({ connectionString: adminUrl });
await administrator.connect();
const database = administrator.escapeIdentifier(new URL(adminUrl).pathname.slice(1));
for (const [name, value] of Object.entries(defaults))
  await administrator.query(`alter database ${database} set ${name} to '${value}'`);
await administrator.end();

const pgbouncer = await startPgbouncer([url]);
afterAll(() => pgbouncer?.stop());

const settings = `select current_setting('transaction_isolation') as isolation, current_setting('datestyle') as dates,
  current_setting('synchronous_commit') as commits, current_setting('standard_conforming_strings') as texts`;
const own = { isolation: 'read committed', dates: expect.stringMatching(/^ISO/), commits: 'on', texts: 'on' };
const written = new Date('2026-11-05T09:00:00.123Z');

it.each(pgbouncer ? ['PostgreSQL itself', 'PgBouncer'] : ['PostgreSQL itself'])(
  'promises do not rest on the defaults of a database that is reached through %s',
  async (way) => {
    const poolerUrl = way === 'PgBouncer' ? pgbouncer?.url : undefined;
    const service = await startNotes(url, { poolerUrl });
    onTestFinished(() => service.close());
    const { database } = service;
    expect(await database.query(settings, [])).toEqual([own]);
    const [row] = await database.query('select $1::timestamptz as time', [written.toISOString()]);
    expect(storedDate.parse(row?.time)).toEqual(written);
  },
);
