import { streamDays } from '@crm/events';
import type { EntityManager } from '@mikro-orm/postgresql';

/** The interval at which expired rows are deleted. */
export const pruneEveryMs = 60 * 60_000;

/** Failures of messages that can no longer be redelivered. */
export async function pruneFailures(em: EntityManager): Promise<void> {
  await em.execute(`delete from inbox_failures where failed_at < now() - interval '${2 * streamDays} days'`);
}
