import type { Query } from '@crm/data';
import { repeat, type Worker } from '@crm/service';

const everyMs = 600_000;

/** Deletes what has expired, every ten minutes. What fails is logged, and keeps nothing else from being deleted. */
export const forgetting =
  (name: string, all: readonly ((query: Query) => Promise<void>)[]): Worker =>
  async ({ database: { query }, log }) => {
    const forget = async () => {
      for (const one of all)
        await one(query).catch((error: unknown) =>
          log.error({ err: error, worker: name, part: one.name }, 'a worker failed'),
        );
    };
    return repeat(name, everyMs, forget, log);
  };
