import type pg from 'pg';

/** Unless it exists: somebody who may not create schemas may own one. */
export async function createSchema(client: pg.Client, schema: string): Promise<void> {
  const { rowCount } = await client.query('select from information_schema.schemata where schema_name = $1', [
    schema,
  ]);
  if (rowCount === 0) await client.query(`create schema ${client.escapeIdentifier(schema)}`);
}
