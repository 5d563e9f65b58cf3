import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@crm/data';
import { z } from 'zod';

const Blocker = z.object({
  pid: z.int(),
  user: z.string(),
  application: z.string(),
  /** How many sessions of the service wait until it ends its transaction. */
  waiting: z.int(),
  /** Whether it waits for another session itself, as a change of a table does behind a transaction that has read it. */
  isWaiting: z.boolean(),
});

/** A session of the database for whose locks sessions of a service wait. */
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

/** For as long as what needs no locked table may take. */
const patienceMs = 1_000;

/**
 * The sessions that keep those of a service waiting, looked for when something has ended, or while it seems to wait itself. By
 * a connection of its own, because those of the pools may all wait.
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
