import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * Records an event in the transaction of `em`, and returns whether it is new to the consumer. It is no dead letter any more
 * if it is handled after all. If two instances have the same event, the second waits here for the transaction of the first.
 */
export async function enterInbox(em: EntityManager, consumer: string, eventId: string): Promise<boolean> {
  const rows: unknown[] = await em.execute(
    `with revived as (delete from dead_letters where event_id = ?)
     insert into inbox (consumer, event_id) values (?, ?) on conflict do nothing returning event_id`,
    [eventId, consumer, eventId],
  );
  return rows.length > 0;
}
