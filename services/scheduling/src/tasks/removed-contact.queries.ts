import { hasRows, type Query, queryIds } from '@crm/data';

/**
 * Clears a removed contact from a portion of the tasks that refer to it, and of the series that would copy it to further tasks,
 * and returns how many. Rows of scheduled events that somebody else has locked are skipped. With an equality condition, the
 * planner might read all tasks to find the last ones.
 */
export async function clearSomeOf(query: Query, contactId: number, portionSize: number): Promise<number> {
  // Whoever changes tasks has locked their scheduled events first.
  const locked = await queryIds(
    query,
    `select id from task_series where id = any(array(
       (select id from task_series where contact_id between $1::int and $1::int order by contact_id limit $2::int)
       union all
       (select scheduled_event_id from tasks where contact_id between $1::int and $1::int
        order by contact_id limit $2::int)
     )) for update skip locked`,
    [contactId, portionSize],
  );
  const series = await query(
    `update task_series set contact_id = null, version = version + 1
     where id = any($2::int[]) and contact_id = $1::int returning true as cleared`,
    [contactId, locked],
  );
  const tasks = await query(
    `update tasks set contact_id = null, version = version + 1 where id = any(array(
       select id from tasks where contact_id between $1::int and $1::int and scheduled_event_id = any($2::int[])
       order by contact_id limit $3::int)) returning true as cleared`,
    [contactId, locked, portionSize],
  );
  return series.length + tasks.length;
}

/** Whether a task or a series refers to a contact. */
export function isNamed(query: Query, contactId: number): Promise<boolean> {
  return hasRows(
    query,
    `(select from task_series where contact_id = $1::int limit 1)
     union all (select from tasks where contact_id = $1::int limit 1)`,
    [contactId],
  );
}

/** Makes a worker clear a removed contact from the remaining tasks. */
export async function noteRemoved(query: Query, contactId: number, now: Date): Promise<void> {
  await query('insert into removed_contacts values ($1::int, $2::timestamptz) on conflict do nothing', [
    contactId,
    now.toISOString(),
  ]);
}

/** Removed contacts that tasks may still refer to. */
export const removedContacts = (query: Query): Promise<number[]> =>
  queryIds(query, 'select id from removed_contacts order by removed_at, id', []);

export async function deleteRemovedContact(query: Query, contactId: number): Promise<void> {
  await query('delete from removed_contacts where id = $1::int', [contactId]);
}
