import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { lockOutbox, onConnection } from './outbox-lock.ts';

/** Correct clocks are never this far apart. */
const isFuture = "published_at > now() + interval '1 hour'";

const correctQuery = `
  with future as (
    select id, row_number() over (order by published_at, id) as number
    from outbox where ${isFuture} order by published_at, id limit $1
  ), base as (
    select greatest(clock_timestamp(), max(published_at)) as moment
    from outbox where published_at >= now() and not ${isFuture}
  )
  update outbox o set published_at = base.moment + future.number * interval '1 microsecond'
  from future, base where o.id = future.id and o.${isFuture}`;

/**
 * Once the clock of the database is right again, gives events that were published while it was ahead current times, in their
 * order. Otherwise every later event would need a time after theirs, and none of them would expire. Skips those that a relay is
 * working on. Returns how many were changed.
 */
export async function correctMoments(pool: Pool, log: Logger, portion = 1_000): Promise<number> {
  let corrected = 0;
  while (await isAnyFuture(pool)) {
    const count = await correctPortion(pool, portion);
    if (count === undefined) break;
    corrected += count;
  }
  if (corrected > 0)
    log.warn(
      { corrected },
      'the clock of the database was ahead; events that it dated in the future got new times',
    );
  return corrected;
}

const isAnyFuture = async (pool: Pool) =>
  (await pool.query(`select from outbox where ${isFuture} limit 1`)).rowCount === 1;

/** Under the lock of the relay, so that no event is given a time concurrently; undefined if another process has the lock. */
const correctPortion = (pool: Pool, portion: number) =>
  onConnection(pool, async (client) => {
    const isLocked = await lockOutbox(client);
    const count = isLocked ? ((await client.query(correctQuery, [portion])).rowCount ?? 0) : undefined;
    await client.query('commit');
    return count;
  });
