import { storedDate } from '@crm/data';
import { freshDatabase, startPgbouncer } from '@crm/testing';
import pg from 'pg';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { notesService } from '../test/notes.ts';
import { startNotes } from '../test/start-notes.ts';

const defaults = {
  default_transaction_isolation: 'repeatable read',
  datestyle: 'SQL, DMY',
  synchronous_commit: 'off',
  standard_conforming_strings: 'off',
  extra_float_digits: '0',
};

/** The URL of a database with these defaults, for the role of the service, which has some settings already. */
async function databaseWith(
  wanted: Readonly<Record<string, string>>,
  kept: Readonly<Record<string, string>> = {},
  atEnd: (end: () => Promise<void>) => void = afterAll,
) {
  const { adminUrl, urls, drop } = await freshDatabase([notesService.store]);
  atEnd(drop);
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  const database = `database ${new URL(adminUrl).pathname.slice(1)}`;
  for (const [name, value] of Object.entries(wanted))
    await client.query(`alter ${database} set ${name} to '${value}'`);
  for (const [name, value] of Object.entries(kept))
    await client.query(`alter role crm_notes in ${database} set ${name} to '${value}'`);
  await client.end();
  return urls.notes ?? '';
}

const url = await databaseWith(defaults);
const pgbouncer = await startPgbouncer([url]);
afterAll(() => pgbouncer?.stop());

const settings = `select current_setting('transaction_isolation') as isolation, current_setting('datestyle') as dates,
  current_setting('synchronous_commit') as commits, current_setting('standard_conforming_strings') as texts,
  (0.1::float8 + 0.2::float8)::text as number`;
const own = {
  isolation: 'read committed',
  dates: expect.stringMatching(/^ISO/),
  commits: 'on',
  texts: 'on',
  number: '0.30000000000000004',
};
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

const keptBefore = { search_path: 'notes', statement_timeout: '5s' };

it
  .skipIf(!pgbouncer)
  .each([
    'default_transaction_isolation',
    'datestyle',
    'synchronous_commit',
    'standard_conforming_strings',
    'extra_float_digits',
  ] as const)('a pooler whose connections have the %s of the database has to connect anew', async (name) => {
  const used = await databaseWith({ [name]: defaults[name] }, keptBefore, onTestFinished);
  const before = await startPgbouncer([used]);
  onTestFinished(() => before?.stop());
  const { host } = new URL(before?.url ?? '');
  const client = new pg.Client({ connectionString: Object.assign(new URL(used), { host }).href });
  await client.connect();
  await client.query('select');
  await client.end();
  await expect(startNotes(used, { poolerUrl: before?.url })).rejects.toThrow('Send RECONNECT to its console');
});
