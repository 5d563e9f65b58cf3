import { type Query, queryIds } from '@crm/data';

/** Few enough that nobody notices the wait. */
const maxDeleted = 5_000;

/**
 * Deletes some of the rows that belong to a record. Returns whether there may be more. With equality, the planner might read all
 * rows of the table to find the last ones.
 */
export async function deleteSome(query: Query, table: string, column: string, id: number): Promise<boolean> {
  const deleted = await query(
    `delete from ${table} where ctid = any(array(
       select ctid from ${table} where ${column} between $1::int and $1::int
       order by ${column} limit $2::int)) returning true as deleted`,
    [id, maxDeleted],
  );
  return deleted.length === maxDeleted;
}

/** Deletes all rows that belong to a record, in as many statements as it takes. Nobody may be adding rows to it. */
export async function deleteAll(query: Query, table: string, column: string, id: number): Promise<void> {
  while (await deleteSome(query, table, column, id));
}

/** The ids of removed records, which are hidden. */
export const removedIds = (query: Query, table: string): Promise<number[]> =>
  queryIds(query, `select id from ${table} where removed_at is not null order by id`, []);

export async function deleteRecord(query: Query, table: string, id: number): Promise<void> {
  await query(`delete from ${table} where id = $1`, [id]);
}
