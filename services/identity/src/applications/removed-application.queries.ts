import { type Query, queryIds } from '@crm/data';

/** The tables of rows that belong to applications, and how many rows are deleted at once. */
export const portions = [
  // A family may have had a token for every hour of its life.
  { table: 'token_families', most: 10 },
  { table: 'access_tokens', most: 1_000 },
  { table: 'consents', most: 1_000 },
] as const;

type Table = (typeof portions)[number]['table'];

/** The removed applications that a worker still has to delete. */
export const removedApplications = (query: Query): Promise<number[]> =>
  queryIds(query, 'select id from applications where removed_at is not null order by removed_at, id', []);

/**
 * Deletes some unlocked rows of a removed application and returns them. The condition is a range because with an
 * equality the planner might read the rows of all applications to find the last ones.
 */
export const deleteSome = (query: Query, table: Table, applicationId: number, most: number) =>
  query(
    `delete from ${table} where id = any(array(
       select id from ${table} where application_id between $1::int and $1::int
       order by application_id limit $2::int for update skip locked)) returning true as deleted`,
    [applicationId, most],
  );

/** Deletes a removed application once nothing that belongs to it is left. */
export async function deleteApplication(query: Query, id: number): Promise<void> {
  const isLeft = portions.map(({ table }) => `exists (select from ${table} where application_id = $1::int)`);
  await query(`delete from applications where id = $1::int and not (${isLeft.join(' or ')})`, [id]);
}
