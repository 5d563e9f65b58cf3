import pg from 'pg';

/** Works on the database as its administrator. */
export async function withDatabase<Answer>(
  url: string,
  work: (db: pg.Client) => Promise<Answer>,
): Promise<Answer> {
  const db = new pg.Client({ connectionString: url, application_name: 'bench' });
  await db.connect();
  try {
    return await work(db);
  } finally {
    await db.end();
  }
}

/** Triggers and foreign keys do not run in this session: what it writes is right already, or no event. */
export async function bypassTriggers(db: pg.Client): Promise<void> {
  await db.query('set session_replication_role = replica');
}

/** Runs the work without the indexes of the tables that no constraint needs, and creates them again at once. */
export async function withoutIndexes(
  db: pg.Client,
  schema: string,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const { rows } = await db.query<{ name: string; definition: string }>(
    `select format('%I.%I', schemaname, indexname) as name, indexdef as definition from pg_indexes
     where schemaname = $1 and tablename = any($2)
       and not exists (select from pg_constraint where conindid = format('%I.%I', schemaname, indexname)::regclass)`,
    [schema, tables],
  );
  for (const { name } of rows) await db.query(`drop index ${name}`);
  await work();
  await db.query("set maintenance_work_mem = '512MB'");
  for (const { definition } of rows) await db.query(definition);
}
