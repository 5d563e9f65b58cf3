import type { Query } from '@crm/data';
import { type Logger, refusalIn } from '@crm/service';
import { abandonedIds, lockAbandoned, shortenLeases } from './abandoned-rows.queries.ts';
import type { DispatchTable } from './queue.ts';
import { lostAnswer, type StoredOutcome } from './settlement.ts';
import { postpone } from './unfit-rows.queries.ts';

/** Rows with an expired lease wait again, except those that a phone may have received. */
export async function abandonedIn(
  table: DispatchTable,
  tx: Query,
  honoursKeys: boolean,
  only: number | null,
): Promise<StoredOutcome[]> {
  const abandoned = await lockAbandoned(tx, table, only);
  return abandoned.map(({ id, attempts, reason, is_begun, is_sent_to_phone }) =>
    is_sent_to_phone && !honoursKeys
      ? { id, attempts, state: 'Unknown', reason: lostAnswer, seconds: 0 }
      : { id, attempts, state: table.waiting, reason, seconds: 0, is_doubtful: is_begun },
  );
}

interface Releasing {
  readonly query: Query;
  readonly log: Logger;
  readonly table: DispatchTable;
  /** Releases rows with an expired lease, or only the row with an id, in one transaction. */
  readonly release: (id: number | null) => Promise<unknown>;
}

/** Releases rows with an expired lease. A row that cannot be released is postponed, and does not block others. */
export async function releaseRows({ query, log, table, release }: Releasing): Promise<void> {
  try {
    await shortenLeases(query, table);
    await release(null);
  } catch (error) {
    if (refusalIn(error)) throw error;
    log.error({ err: error }, `${table.name} could not be released together, and are released one by one`);
    for (const id of await abandonedIds(query, table)) await releaseOne({ query, log, table, release }, id);
  }
}

async function releaseOne({ query, log, table, release }: Releasing, id: number): Promise<void> {
  try {
    await release(id);
  } catch (error) {
    if (refusalIn(error)) throw error;
    await postpone(query, table, id, error).catch((reason: unknown) =>
      log.error({ err: reason, id }, `one of ${table.name} cannot even be postponed`),
    );
  }
}
