import type pg from 'pg';
import { createSchema } from './create-schema.ts';

/** The comment of a schema from before a backup is loaded into it until the whole system is restored. */
const unfinished = 'A restoration of this schema has not ended.';

/** Lets no service start on a schema until `markRestored`, whatever becomes of the restoration. */
export async function markRestoring(client: pg.Client, schema: string): Promise<void> {
  await createSchema(client, schema);
  await comment(client, schema, `'${unfinished}'`);
}

export const markRestored = (client: pg.Client, schema: string): Promise<void> =>
  comment(client, schema, 'null');

async function comment(client: pg.Client, schema: string, text: string): Promise<void> {
  await client.query(`comment on schema "${schema}" is ${text}`);
}

export async function isBeingRestored(client: pg.Client, schema: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_namespace where nspname = $1 and obj_description(oid, 'pg_namespace') = $2`,
    [schema, unfinished],
  );
  return rowCount === 1;
}
