import type { Query } from '@crm/data';
import { repeat, type Worker } from '@crm/service';

const everyMs = 600_000;

/** Deletes expired records every ten minutes. A failed deletion is logged and does not prevent the others. */
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
