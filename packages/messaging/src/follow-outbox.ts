import { CloudEvent, streamDays } from '@crm/events';
import type { Pool } from 'pg';
import type { Commits } from './commits.ts';
import { pause } from './pause.ts';
import { waker } from './waker.ts';

/** The position of an event among those that were published: its time, and its order within that time. */
interface Place {
  /** Microseconds since 1970, as text because they exceed what a number holds exactly. */
  readonly at: string;
  readonly id: string;
  /** Only events that were published while the clock of the database was ahead have such a position, until it is corrected. */
  readonly isAhead: boolean;
}

interface Followed {
  /** To continue after the event, or after what was looked at so far. */
  readonly position: string;
  readonly event?: CloudEvent;
}

export interface Following {
  readonly pool: Pool;
  readonly commits: Pick<Commits, 'subscribe'>;
  readonly signal: AbortSignal;
}

/** A position that never existed, or that is too old. */
export class UnknownPosition extends Error {
  override readonly name = 'UnknownPosition';
}

const batch = 100;

/**
 * The delay before it checks again: short after a commit, whose events the relay is about to publish, and long after that.
 * However many commits there are, it checks at most ten times per second.
 */
const waits = { eagerMs: [100, 100, 200, 400], idleMs: 1_000 };

/** How often a follower learns its position if no event brings it. */
const positionMs = 60_000;

/**
 * Finds the place after a position, or the end without one, and returns the events that were published after it, as they are
 * published. None is missing; one that is published again is returned again. The position alone is returned first, and once per
 * minute, so that a follower can continue there whatever it makes of the events. Throws `UnknownPosition`.
 *
 * Rows become visible in the order of their places: the relay that holds the lock gives each batch a later moment than all
 * before it.
 */
export async function followOutbox(
  { pool, commits, signal }: Following,
  position: string | undefined,
): Promise<AsyncGenerator<Followed>> {
  let place =
    position === undefined ? await recent(pool, await lastPlace(pool)) : await placeIn(pool, position);
  async function* events(): AsyncGenerator<Followed> {
    const looks = looksAfter(commits, signal);
    let told = performance.now();
    try {
      yield { position: textOf(place) };
      while (!signal.aborted) {
        looks.begin();
        const found = await publishedAfter(pool, place);
        for (const { event, ...next } of found) {
          place = next;
          yield { position: textOf(place), event };
          if (signal.aborted) return;
        }
        const isDrained = found.length < batch;
        if (performance.now() - told >= positionMs) {
          if (isDrained) place = await recent(pool, place);
          yield { position: textOf(place) };
          told = performance.now();
        }
        if (!isDrained) continue;
        if (place.isAhead) place = (await placeOf(pool, place.id)) ?? place;
        await looks.next();
      }
    } finally {
      looks.end();
    }
  }
  return events();
}

/** When to look again. The commit that wakes it is published a little later. */
function looksAfter(commits: Following['commits'], signal: AbortSignal) {
  const due = waker();
  let count = 0;
  const unsubscribe = commits.subscribe(() => {
    count = 0;
    due.wake();
  });
  signal.addEventListener('abort', due.wake);
  return {
    begin: due.clear,
    next() {
      const waitMs = waits.eagerMs[count++];
      return waitMs === undefined ? due.wait(waits.idleMs) : pause(waitMs, signal);
    },
    end() {
      unsubscribe();
      signal.removeEventListener('abort', due.wake);
    },
  };
}

const textOf = ({ at, id }: Place) => `${at}-${id}`;

const moment = `timestamptz '1970-01-01 00:00:00Z' + $1::bigint * interval '1 microsecond'`;

/** The place of a row, as columns. */
const placeColumns = `(extract(epoch from published_at) * 1000000)::bigint::text as at, id::text as id,
  published_at > now() + interval '1 minute' as "isAhead"`;

async function lastPlace(pool: Pool): Promise<Place> {
  const { rows } = await pool.query<Place>({
    name: 'outbox-last',
    text: `select ${placeColumns} from outbox
           where published_at is not null order by published_at desc, outbox.id desc limit 1`,
  });
  return rows[0] ?? { at: '0', id: '0', isAhead: false };
}

/**
 * A later place than one that is more than two days old, if there is no event after it: a position becomes too old. A day ago,
 * because the clock of the database may be set back.
 */
async function recent(pool: Pool, place: Place): Promise<Place> {
  const { rows } = await pool.query<Place>({
    text: `select (extract(epoch from now() - interval '1 day') * 1000000)::bigint::text as at, '0' as id, false as "isAhead"
           where ${moment} < now() - interval '2 days'`,
    values: [place.at],
  });
  return rows[0] ?? place;
}

/** The place of an event that is published. */
async function placeOf(pool: Pool, id: string): Promise<Place | undefined> {
  const { rows } = await pool.query<Place>({
    text: `select ${placeColumns} from outbox where id = $1 and published_at is not null`,
    values: [id],
  });
  return rows[0];
}

const neverReceived = 'is not the id of an event that was received';

/** The event may have an earlier moment now, because the clock was ahead when it was published, but also a later one. */
async function placeIn(pool: Pool, position: string): Promise<Place> {
  const [, at, id] = /^(\d{1,16})-(\d{1,18})$/.exec(position) ?? [];
  if (at === undefined || id === undefined) throw new UnknownPosition(neverReceived);
  const found = await placeOf(pool, id);
  const earlier = found && BigInt(found.at) < BigInt(at) ? found.at : at;
  const { rows } = await pool.query<{ readonly isOld: boolean; readonly isAhead: boolean }>({
    text: `select ${moment} < now() - interval '${streamDays} days' as "isOld", ${moment} > now() + interval '1 minute' as "isAhead"`,
    values: [earlier],
  });
  const { isOld = false, isAhead = false } = rows[0] ?? {};
  if (isAhead && !found) throw new UnknownPosition(neverReceived);
  if (isOld) {
    throw new UnknownPosition(
      `is too old: events are kept for ${streamDays} days. Read the current state, and subscribe without it`,
    );
  }
  return { at: earlier, id, isAhead };
}

/** By the column, and not by the text that is returned under its name, which would put 10 before 9. */
async function publishedAfter(pool: Pool, { at, id }: Place) {
  const { rows } = await pool.query<Place & { readonly payload: unknown }>({
    name: 'outbox-after',
    text: `select ${placeColumns}, payload from outbox
           where published_at is not null and published_at >= ${moment} and (published_at, outbox.id) > (${moment}, $2)
           order by published_at, outbox.id limit ${batch}`,
    values: [at, id],
  });
  return rows.map(({ payload, ...place }) => ({ ...place, event: CloudEvent.parse(payload) }));
}
