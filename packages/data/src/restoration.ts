import type pg from 'pg';
import { createSchema } from './create-schema.ts';

/** The comments of a schema on which no service starts, and the commands that remove them. */
const unfinished = {
  restore: 'A restoration of this schema has not ended.',
  withhold: 'What may have been sent from this schema is being withheld.',
};

/** A command that was interrupted, and has to be repeated. */
export type Unfinished = keyof typeof unfinished;

/** Keeps services from starting on a schema until `markFinished`, whatever happens to the command. */
export async function markUnfinished(client: pg.Client, schema: string, command: Unfinished): Promise<void> {
  await createSchema(client, schema);
  await comment(client, schema, `'${unfinished[command]}'`);
}

export const markFinished = (client: pg.Client, schema: string): Promise<void> =>
  comment(client, schema, 'null');

async function comment(client: pg.Client, schema: string, text: string): Promise<void> {
  await client.query(`comment on schema "${schema}" is ${text}`);
}

/** The command that has to be repeated before a service may start on a schema. */
export async function unfinishedIn(client: pg.Client, schema: string): Promise<Unfinished | undefined> {
  const { rows } = await client.query<{ comment: string }>(
    `select obj_description(oid, 'pg_namespace') as comment from pg_namespace where nspname = $1`,
    [schema],
  );
  return (['restore', 'withhold'] as const).find((command) => unfinished[command] === rows[0]?.comment);
}
