import type pg from 'pg';

/** Only if it does not exist: a role that may not create schemas may still own one. */
export async function createSchema(client: pg.Client, schema: string): Promise<void> {
  const { rowCount } = await client.query('select from information_schema.schemata where schema_name = $1', [
    schema,
  ]);
  if (rowCount === 0) await client.query(`create schema ${client.escapeIdentifier(schema)}`);
}
