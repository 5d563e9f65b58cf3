import { messageTypeOf, type Query } from '@crm/data';
import type { StatusReport } from '@crm/delivery';
import type { Publishing } from '@crm/service';
import { linkTo, type SpanFacts, traced, traceparent } from '@crm/telemetry';
import { z } from 'zod';
import type { Queue } from './queue.ts';
import { resolvedBy } from './reconcile.ts';
import { settle } from './settle-rows.queries.ts';
import { storedOutcome } from './settlement.ts';
import { noteDeliveryState } from './unknown-rows.queries.ts';

/** The request that reports a status; its transaction stores the status. */
interface Reporting extends Publishing {
  readonly query: Query;
}

const Key = z.guid();

/** The access to the rows of a queue for status reports. */
export type Reported = ReturnType<typeof reportedIn>;

export function reportedIn({
  table,
  outcomes,
  statusPath,
  recordBlock,
}: Pick<Queue, 'table' | 'outcomes' | 'statusPath' | 'recordBlock'>) {
  return {
    statusPath,
    recordBlock,
    /** The type of the row in the audit log. */
    recordType: messageTypeOf(table),
    /**
     * Stores the status that the provider reports for the row with a key, in a transaction. The row is settled if its outcome was
     * unknown, or if it was given up although the provider accepted it. Returns the row, if it exists.
     */
    async note(origin: Reporting, key: string, report: StatusReport) {
      if (!Key.safeParse(key).success) return undefined;
      const row = await noteDeliveryState(origin.query, table, key, report);
      if (!row) return undefined;
      const request = traceparent();
      await traced(
        () => spanOf(table.name, report),
        async () => {
          // The provider's request starts a new trace, because the trace of the message was never sent to it.
          linkTo(request);
          if (!row.is_decided) return;
          const outcome = storedOutcome(
            table,
            row,
            resolvedBy(report.state, report.reference, report.reason),
          );
          const { settled } = await settle(origin.query, table, [outcome], outcomes?.columns);
          outcomes?.publish(origin, settled);
        },
        { causes: () => (row.cause ? [row.cause] : []) },
      );
      return row;
    },
  };
}

const spanOf = (table: string, { state }: StatusReport): SpanFacts => ({
  name: `report on ${table}`,
  kind: 'consumer',
  attributes: { 'crm.delivery_state': state },
});
