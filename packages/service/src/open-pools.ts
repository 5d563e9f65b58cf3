import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, keepSettings, migrate, openDatabase } from '@crm/data';
import { isNotLetIn, refusalIn } from './classify-error.ts';
import type { ServiceDefinition } from './definition.ts';
import type { Logger } from './log.ts';

/** The connections of a service to its database, by the kind of work that uses them. */
export interface Pools {
  readonly requests: Database;
  /** For work that no request asks for. */
  readonly background: Database;
}

interface Opening {
  readonly databaseUrl: string;
  readonly poolerUrl: string | undefined;
  readonly log: Logger;
}

/** Once the database is available, migrates it and connects to it, through a pooler if there is one. */
export async function openPools(
  { store }: ServiceDefinition,
  { databaseUrl: url, poolerUrl, log }: Opening,
): Promise<Pools> {
  await whenAvailable(log, () => migrate(url, store));
  if (poolerUrl !== undefined) await whenAvailable(log, () => keepSettings(url, store.schema));
  // Connects; this fails if the database has become unavailable again.
  const connect = (poolSize: number) =>
    whenAvailable(log, () => openDatabase({ url, poolerUrl, store, poolSize }));
  const requests = await connect(10);
  if (!requests.doesPrepare) log.warn(unprepared);
  return { requests, background: await connect(6) };
}

const unprepared =
  'the pooler does not support prepared statements, so every statement is planned again; use PgBouncer 1.21 or later with max_prepared_statements = 300';

const unavailableMs = 1_000;

/** Repeats a step of startup while the database is unavailable. A wrong password ends startup with an error. */
export async function whenAvailable<Value>(log: Logger, step: () => Promise<Value>): Promise<Value> {
  for (let failures = 0; ; failures++) {
    try {
      return await step();
    } catch (error) {
      if (!refusalIn(error) || isNotLetIn(error)) throw error;
      if (failures === 0) log.warn({ err: error }, 'startup waits because the database is unavailable');
      await sleep(unavailableMs);
    }
  }
}
