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

/** What the provider does not list after this time, it did not accept. */
const listedSeconds = 180;
const pauseSeconds = 30;
/** After a day nobody asks; the provider may still report its status. */
const maxSeconds = 86_400;
/** Seconds: thirty years. */
const never = 1e9;

const unlisted: Settlement = {
  state: 'Failed',
  reason: 'The provider did not accept it: it does not list it.',
  isReported: true,
};

/** Finds the outcomes of rows of which they are unknown, from what the provider has reported or by asking it. */
export async function reconcile(
  { table, what }: Pick<Queue, 'table' | 'what'>,
  { store, provider, query, tables, log }: Asking,
): Promise<void> {
  // One that fails is asked about again in a minute, and holds up no other.
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

  /** What the provider knows, or after how many seconds it is to be asked again. A mail server cannot be asked. */
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
    // Which of the calls it is, a report may still say.
    if (digest === null && unclaimed.length <= (await countOtherCalls(query, tables, table, row)))
      return seconds_unknown > maxSeconds ? never : 2 * pauseSeconds;
    return resolvedBy(found.state, found.reference);
  }
}

/** The outcome of a row by what the provider says about it. */
export function resolvedBy(state: DeliveryState, reference?: string, reason?: string): Settlement {
  if (state === 'Failed') {
    const why = reason ?? 'The provider accepted it but could not send it.';
    return { state, reason: why, isReported: true };
  }
  const why = (state === 'Undelivered' && reason) || null;
  return { state: 'Sent', reason: why, ...(reference && { reference }) };
}
