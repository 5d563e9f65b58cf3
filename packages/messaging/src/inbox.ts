import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * Records events in the transaction of `em`, and returns the ids of those that are new to the consumer. They are no longer dead
 * letters if they are handled after all. If two instances have the same event, the second waits here for the transaction of the
 * first. In the order of the ids, so that two instances do not deadlock.
 */
export async function enterInbox(
  em: EntityManager,
  consumer: string,
  eventIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const ids = JSON.stringify(eventIds);
  const rows = await em.execute<{ event_id: string }[]>(
    `with given as materialized (
       select id::uuid as id from jsonb_array_elements_text(?::jsonb) as row (id)
     ), revived as (
       delete from dead_letters where event_id in (select id from given)
     )
     insert into inbox (consumer, event_id) select ?, id from given order by id on conflict do nothing returning event_id`,
    [ids, consumer],
  );
  return new Set(rows.map(({ event_id }) => event_id));
}
