import { type Query, queryIds } from '@crm/data';

/** This many take a worker some seconds. */
const maxOwners = 1_000;

/** Adding up more rows than this of one owner would take longer than the rest of a list. */
const maxRows = 100;

/**
 * A portion of the owners of contacts that have no base. Looks up owner after owner in an index, which takes some microseconds
 * for each, however many contacts there are.
 */
export const ownersWithoutBase = (query: Query): Promise<number[]> =>
  queryIds(
    query,
    `with recursive owners as (
       (select owner_user_id as id from contacts order by owner_user_id limit 1)
       union all
       select (select owner_user_id from contacts where owner_user_id > owners.id order by owner_user_id limit 1)
       from owners where id is not null
     )
     select id from owners where id is not null
     and not exists (select from contact_totals where owner_user_id = owners.id and is_base) limit $1`,
    [maxOwners],
  );

/** A portion of the owners whose contacts have changed often since they were counted, or for the first time. */
export const ownersWithChanges = (query: Query): Promise<number[]> =>
  queryIds(
    query,
    `select owner_user_id as id from contact_totals group by owner_user_id
     having count(*) > $1 or not bool_or(is_base) limit $2`,
    [maxRows, maxOwners],
  );

/**
 * Combines the rows of an owner into one base; if there is no base, the contacts are counted. Runs in its own transaction. The
 * lock is a separate statement, so that the next one sees what the previous holder of the lock did.
 */
export async function addUpTotal(query: Query, ownerId: number): Promise<void> {
  await query(`select pg_advisory_xact_lock(hashtext('total of contacts'), $1::int)`, [ownerId]);
  await query(
    `with removed as (delete from contact_totals where owner_user_id = $1 returning contacts, is_base)
     insert into contact_totals (owner_user_id, contacts, is_base)
     select $1, case when (select bool_or(is_base) from removed) then (select sum(contacts) from removed)
       else (select count(*) from contacts where owner_user_id = $1) end, true`,
    [ownerId],
  );
}
