import { streamDays } from '@crm/events';
import type { EntityManager } from '@mikro-orm/postgresql';

/** PostgreSQL cannot store text with NUL, which the reason of a failure may quote from a message. */
export const storable = (text: string, maxLength: number): string =>
  text.slice(0, maxLength).replaceAll('\0', '\u2400');

/** Counts a failure of a message, and returns how often it has failed. */
export async function countFailure(
  em: EntityManager,
  consumer: string,
  eventId: string,
  reason: string,
): Promise<number> {
  const [row] = await em.execute<{ failures: number }[]>(
    `insert into inbox_failures (consumer, event_id, failures, reason) values (?, ?, 1, ?)
     on conflict (consumer, event_id) do update set
       failures = inbox_failures.failures + 1, reason = excluded.reason, failed_at = now()
     returning failures`,
    [consumer, eventId, storable(reason, 500)],
  );
  return row?.failures ?? 0;
}

export async function failuresOf(em: EntityManager, consumer: string, eventId: string): Promise<number> {
  const [row] = await em.execute<{ failures: number }[]>(
    'select failures from inbox_failures where consumer = ? and event_id = ?',
    [consumer, eventId],
  );
  return row?.failures ?? 0;
}

export async function forgetFailures(em: EntityManager, consumer: string, eventId: string): Promise<void> {
  await em.execute('delete from inbox_failures where consumer = ? and event_id = ?', [consumer, eventId]);
}

/** Failures of messages that can no longer be redelivered. */
export async function pruneFailures(em: EntityManager): Promise<void> {
  await em.execute(`delete from inbox_failures where failed_at < now() - interval '${2 * streamDays} days'`);
}
