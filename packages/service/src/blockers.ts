import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@crm/data';
import { z } from 'zod';

const Blocker = z.object({
  pid: z.int(),
  user: z.string(),
  application: z.string(),
  /** How many sessions of the service wait until it ends its transaction. */
  waiting: z.int(),
  /** Whether it is itself waiting for another session, as a schema change does behind a transaction that has read the table. */
  isWaiting: z.boolean(),
});

/** A database session that holds locks for which sessions of a service are waiting. */
export type Blocker = Readonly<z.output<typeof Blocker>>;

/** Requests and workers lock rows for milliseconds, and wait for a lock no longer than two seconds. */
const longWait = "interval '250 milliseconds'";

const blockersQuery = `
  with recursive waits as (
    select l.pid as waiting, b.pid
    from pg_locks l join pg_stat_activity a on a.pid = l.pid
      cross join lateral unnest(pg_blocking_pids(l.pid)) as b (pid)
    where not l.granted and l.waitstart < clock_timestamp() - ${longWait}
      and a.datname = current_database() and a.usename = current_user
    union
    select w.waiting, b.pid from waits w cross join lateral unnest(pg_blocking_pids(w.pid)) as b (pid)
  )
  select w.pid, coalesce(a.usename, 'the server') as user, coalesce(a.application_name, '') as application,
    count(*)::int as waiting, cardinality(pg_blocking_pids(w.pid)) > 0 as "isWaiting"
  from waits w left join pg_stat_activity a on a.pid = w.pid
  where w.pid not in (select waiting from waits)
  group by w.pid, a.usename, a.application_name order by w.pid`;

/** As long as a statement may take that needs no locked table. */
const patienceMs = 1_000;

/**
 * The sessions that block those of a service, looked up when some work has ended, or while it seems to be blocked itself. Uses
 * its own connection, because all those of the pools may be waiting.
 */
export async function blockersDuring(
  work: Promise<unknown>,
  { ownConnection }: Pick<Database, 'ownConnection'>,
): Promise<Blocker[]> {
  await Promise.race([work, sleep(patienceMs)]).catch(() => undefined);
  const client = ownConnection();
  client.on('error', () => undefined);
  try {
    await client.connect();
    return z.array(Blocker).parse((await client.query(blockersQuery)).rows);
  } finally {
    await client.end().catch(() => undefined);
  }
}
