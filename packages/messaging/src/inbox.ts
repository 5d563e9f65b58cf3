import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * Says whether the event is new to the consumer, and records it in the transaction of `em`. Of two instances
 * with the same event the second waits here for the first, and finds it recorded or rolled back.
 */
export async function enterInbox(em: EntityManager, consumer: string, eventId: string): Promise<boolean> {
  const rows: unknown[] = await em.execute(
    'insert into inbox (consumer, event_id) values (?, ?) on conflict do nothing returning event_id',
    [consumer, eventId],
  );
  return rows.length > 0;
}
