import { hasRows, type Query, queryIds } from '@crm/data';
import { type Column, isAmong } from '@crm/query';

/**
 * The tables with the id of a task category, which can be removed while rows still have it. Series come first: a series that
 * still has it would copy it to further tasks.
 */
export const referring = ['task_series', 'tasks'] as const;
type Referring = (typeof referring)[number];

/**
 * SQL for the ids of removed categories that tasks may still have: few, and read once in a statement. With a range condition, the
 * planner expects a small part even without statistics; otherwise it would expect most categories to be removed, and read them
 * all.
 */
const removed = `select id from task_categories where removed_at between '-infinity' and 'infinity'`;

/** SQL for an id, or null if it is that of a removed category. */
const presentId = (id: string) => `case when not ${id} = any(array(${removed})) then ${id} end`;

const column = 'tasks.category_id';

/**
 * The category of a task as everybody reads it: null as soon as it was removed. A filter value is looked up in the index of the
 * column, so a removed id is first replaced with null, which equals nothing.
 */
export const unlessRemoved: Pick<Column, 'equals'> & { readonly sql: string } = {
  sql: presentId(column),
  equals: (ids, binds) => isAmong({ kind: 'integer', sql: column }, ids, binds, presentId),
};

/** Whether a category was removed, and tasks may still have its id. */
export function isRemoved(query: Query, id: number): Promise<boolean> {
  return hasRows(query, 'select from task_categories where id = $1::int and removed_at is not null', [id]);
}

export const removedIds = (query: Query): Promise<number[]> => queryIds(query, removed, []);

/**
 * Clears a category from a portion of the rows that have it, without waiting for rows that are being changed. Returns a row for
 * each cleared one. With an equality condition, the planner might read the whole table to find the last ones.
 */
export function clearSome(
  query: Query,
  table: Referring,
  id: number,
  portionSize: number,
): Promise<readonly unknown[]> {
  return query(
    `update ${table} set category_id = null where id = any(array(
       select id from ${table} where category_id between $1::int and $1::int
       order by category_id limit $2::int for update skip locked)) returning true as cleared`,
    [id, portionSize],
  );
}

/** Deletes a removed category that neither a task nor a series has. */
export async function deleteRemoved(query: Query, id: number): Promise<void> {
  const unreferenced = referring.map(
    (table) => `not exists (select from ${table} where category_id between $1::int and $1::int)`,
  );
  await query(
    `delete from task_categories where id = $1::int and removed_at is not null and ${unreferenced.join(' and ')}`,
    [id],
  );
}
