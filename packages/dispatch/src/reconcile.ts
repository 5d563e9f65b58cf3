import type { MessageTable, Query } from '@crm/data';
import type { Delivery, DeliveryState } from '@crm/delivery';
import type { Logger } from '@crm/service';
import { settleMs } from './lease.ts';
import type { Queue } from './queue.ts';
import type { RowStore } from './row-store.ts';
import { type Settlement, storedOutcome } from './settlement.ts';
import { askLater, countOtherCalls, leaseUnknown, referencesOf, UnknownRow } from './unknown-rows.queries.ts';

interface Asking {
  readonly store: Pick<RowStore, 'settle'>;
  readonly provider: Pick<Delivery, 'find'>;
  readonly query: Query;
  /** All tables of the service whose rows the provider may list. */
  readonly tables: readonly MessageTable[];
  readonly log: Logger;
}

/** What the provider has not listed by then was not accepted. */
const listedSeconds = 180;
const pauseSeconds = 30;
/** After a day the provider is no longer asked; it may still report the status. */
const maxSeconds = 86_400;
/** Seconds: thirty years. */
const never = 1e9;

const unlisted: Settlement = {
  state: 'Failed',
  reason: 'The provider did not accept it: it does not list it.',
  isReported: true,
};

/** Finds unknown outcomes of rows, from what the provider has reported or by asking it. */
export async function reconcile(
  { table, what }: Pick<Queue, 'table' | 'what'>,
  { store, provider, query, tables, log }: Asking,
): Promise<void> {
  // If one fails, it is tried again in a minute, and does not block others.
  for (const leased of await leaseUnknown(query, table))
    await resolve(leased).catch((error: unknown) =>
      log.error({ err: error, row: leased.id }, `the outcome of one of the ${what} could not be found`),
    );

  async function resolve(leased: unknown): Promise<void> {
    const row = UnknownRow.parse(leased);
    const settlement = row.delivery_state ? resolvedBy(row.delivery_state) : await searchProvider(row);
    if (typeof settlement === 'number') await askLater(query, table, row, settlement);
    else await store.settle(storedOutcome(table, row, settlement), performance.now() + settleMs);
  }

  /** What the provider knows, or after how many seconds to ask again. A mail server cannot be asked. */
  async function searchProvider(row: UnknownRow) {
    const { sent_to: to, sent_digest: digest, begun: at, seconds_unknown } = row;
    if (!to.startsWith('+')) return never;
    const search = await provider.find({ to, at, digest });
    if (search.is === 'unavailable') return seconds_unknown > maxSeconds ? never : 2 * pauseSeconds;
    const claimed = await referencesOf(
      query,
      tables,
      to,
      search.found.map(({ reference }) => reference),
    );
    const unclaimed = search.found.filter(({ reference }) => !claimed.has(reference));
    const [found] = unclaimed;
    if (!found) return seconds_unknown < listedSeconds ? pauseSeconds : unlisted;
    // A later status report may still tell which of the calls it is.
    if (digest === null && unclaimed.length <= (await countOtherCalls(query, tables, table, row)))
      return seconds_unknown > maxSeconds ? never : 2 * pauseSeconds;
    return resolvedBy(found.state, found.reference);
  }
}

/** The outcome of a row by the status that the provider gives. */
export function resolvedBy(state: DeliveryState, reference?: string, reason?: string): Settlement {
  if (state === 'Failed') {
    const why = reason ?? 'The provider accepted it but could not send it.';
    return { state, reason: why, isReported: true };
  }
  const why = (state === 'Undelivered' && reason) || null;
  return { state: 'Sent', reason: why, ...(reference && { reference }) };
}
