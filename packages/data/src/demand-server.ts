import type pg from 'pg';

/** The first version that knows all settings of a session. */
const oldest = 170_000;

const tooOld = 'This PostgreSQL is older than version 17. Use version 18.';

/** What a server says that does not know a setting of a session. */
const isUnknownSetting = /unrecognized configuration parameter/;

/** The error itself or, if a server refused a connection because it is too old, one that says what to do. */
export const explainedByVersion = (error: unknown): unknown =>
  error instanceof Error && isUnknownSetting.test(error.message)
    ? new Error(tooOld, { cause: error })
    : error;

const serverQuery = `select current_setting('server_version_num')::int as version,
  current_setting('server_encoding') as encoding,
  (select nspname from pg_extension e join pg_namespace n on n.oid = extnamespace where extname = 'pg_trgm') as trigrams`;

interface Server {
  readonly version: number;
  readonly encoding: string;
  readonly trigrams: string | null;
}

/** Throws for a server or database that cannot hold the schema of a service; the message says how to fix it. */
export async function demandServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<Server>(serverQuery);
  for (const { version, encoding, trigrams } of rows) {
    if (version < oldest) throw new Error(tooOld);
    if (encoding !== 'UTF8')
      throw new Error(
        `The encoding of the database is ${encoding}, which cannot store all characters. Use one that was created with: create database crm template template0 encoding 'UTF8' locale_provider builtin builtin_locale 'C.UTF-8'`,
      );
    // Migrations name it with its schema, because that of a service is not to be looked for in others.
    if (trigrams !== null && trigrams !== 'public')
      throw new Error(
        `The extension pg_trgm is in the schema ${trigrams}. Move it: alter extension pg_trgm set schema public`,
      );
  }
}
