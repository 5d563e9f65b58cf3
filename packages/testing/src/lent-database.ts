import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase, type Store } from '@crm/data';
import { type FreshDatabase, freshDatabase } from './fresh-database.ts';
import { processEnding } from './process-ending.ts';
import { type Wiper, wiper } from './wipe.ts';

interface Kept {
  readonly database: Database;
  /** The listeners of the pool before a test. */
  readonly listeners: ReadonlySet<unknown>;
  readonly fresh: FreshDatabase;
  readonly wiper: Wiper;
}

export interface LentDatabase {
  readonly database: Database;
  /** Call it when the test no longer uses the database. */
  giveBack(): Promise<void>;
}

/** The databases that this process has opened, and those that no test uses. */
const all = new Set<Kept>();
const unused = new Map<Store, Kept[]>();

/**
 * An open database with only the rows of the migrations. Opening one takes half a second of processor time, so the test files of
 * a process use it one after the other. A database is not reused if a test has changed its tables or kept its connections.
 */
export async function lendDatabase(store: Store): Promise<LentDatabase> {
  const kept = unused.get(store)?.pop() ?? (await open(store));
  let given: Promise<void> | undefined;
  return {
    database: kept.database,
    giveBack: () => {
      given ??= takeBack(store, kept);
      return given;
    },
  };
}

async function open(store: Store): Promise<Kept> {
  const fresh = await freshDatabase([store]);
  const url = fresh.urls[store.schema] ?? fresh.adminUrl;
  const database = await openDatabase({ url, store });
  const kept = {
    fresh,
    database,
    listeners: new Set(listenersTo(database.pool).map(([, listener]) => listener)),
    wiper: await wiper([store.schema], fresh.adminUrl),
  };
  if (all.size === 0) processEnding().defer(async () => void (await Promise.all([...all].map(end))));
  all.add(kept);
  return kept;
}

async function takeBack(store: Store, kept: Kept): Promise<void> {
  if (!(await isRestored(kept).catch(() => false))) return end(kept);
  unused.set(store, [...(unused.get(store) ?? []), kept]);
}

const listenersTo = (pool: Database['pool']) =>
  pool.eventNames().flatMap((name) => pool.rawListeners(name).map((listener) => [name, listener] as const));

async function isRestored({ database: { pool }, listeners, wiper }: Kept): Promise<boolean> {
  for (const [name, listener] of listenersTo(pool)) if (!listeners.has(listener)) pool.off(name, listener);
  if (!(await isAtRest(pool)) || !(await wiper.isUnaltered())) return false;
  await wiper.wipe();
  return true;
}

const restMs = 500;

/** Whether no statement is still running. One that a test did not wait for may take a moment. */
async function isAtRest(pool: Database['pool']): Promise<boolean> {
  const deadline = performance.now() + restMs;
  const isBusy = () => pool.totalCount > pool.idleCount || pool.waitingCount > 0;
  while (isBusy() && performance.now() < deadline) await sleep(20);
  return !pool.ended && !isBusy();
}

async function end(kept: Kept): Promise<void> {
  all.delete(kept);
  if (!kept.database.pool.ended) await kept.database.close();
  await kept.wiper.close();
  await kept.fresh.drop();
}
