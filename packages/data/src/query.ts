import { z } from 'zod';

export type Row = Readonly<Record<string, unknown>>;

/** Runs one statement with bound values. */
export type Query = (text: string, values: readonly unknown[]) => Promise<readonly Row[]>;

/** Runs one statement with bound values. Throws Unavailable if it takes longer than `ms` milliseconds. */
export type LimitedQuery = (text: string, values: readonly unknown[], ms?: number) => Promise<readonly Row[]>;

/**
 * The rows of one statement, parsed and typed by a schema. Throws if a column does not match the schema.
 */
export async function queryRows<Schema extends z.ZodType>(
  query: Query,
  schema: Schema,
  text: string,
  values: readonly unknown[],
): Promise<z.output<Schema>[]> {
  return (await query(text, values)).map((row) => schema.parse(row));
}

/** The row of a statement that always returns one, parsed and typed by a schema. */
export async function queryRow<Schema extends z.ZodType>(
  query: Query,
  schema: Schema,
  text: string,
  values: readonly unknown[],
): Promise<z.output<Schema>> {
  const [row] = await query(text, values);
  if (!row) throw new Error('A statement that always has a row has none.');
  return schema.parse(row);
}

/** The first row of one statement, if there is one, parsed and typed by a schema. */
export async function queryFirst<Schema extends z.ZodType>(
  query: Query,
  schema: Schema,
  text: string,
  values: readonly unknown[],
): Promise<z.output<Schema> | undefined> {
  const [row] = await query(text, values);
  return row && schema.parse(row);
}

/** Whether one statement has a row. */
export async function hasRows(query: Query, text: string, values: readonly unknown[]): Promise<boolean> {
  return (await query(text, values)).length > 0;
}

/** A row of which only the id is read. */
export const WithId = z.object({ id: z.int() });

/**
 * Repeats a statement that changes at most `most` rows and returns them, until it changes fewer. Each run is a transaction of its
 * own, so that none takes long.
 */
export async function untilFewer(
  most: number,
  change: (most: number) => Promise<readonly unknown[]>,
): Promise<void> {
  while ((await change(most)).length === most);
}

/** The ids that one statement returns. */
export async function queryIds(query: Query, text: string, values: readonly unknown[]): Promise<number[]> {
  const rows = await queryRows(query, WithId, text, values);
  return rows.map(({ id }) => id);
}
