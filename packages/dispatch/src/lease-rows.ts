import { type Query, WithId } from '@crm/data';
import { causeIn, refusalIn, type WorkerContext } from '@crm/service';
import { z } from 'zod';
import type { DueRow } from './due-row.ts';
import { dueIds, leaseDue } from './due-rows.queries.ts';
import type { Queue, Share } from './queue.ts';
import { postpone } from './unfit-rows.queries.ts';

type Work = Pick<WorkerContext, 'log'> & { readonly query: Query };

/** Leases due rows. A row that cannot be leased or read is postponed with the reason, and does not block others. */
export async function leaseRows<Due extends DueRow, Facts>(
  queue: Queue<Due, Facts>,
  work: Work,
  shares: readonly Share[],
): Promise<Due[]> {
  const { table, select } = queue;
  try {
    return await readRows(queue, work, await leaseDue(work.query, table, select, shares));
  } catch (error) {
    if (refusalIn(error)) throw error;
    work.log.error({ err: error }, `${queue.what} could not be leased together, and are leased one by one`);
    const rows: Due[] = [];
    for (const id of await dueIds(work.query, table, shares)) {
      const one = await leaseDue(work.query, table, select, shares, id).catch(async (reason: unknown) => {
        if (refusalIn(reason)) throw reason;
        await postpone(work.query, table, id, reason);
        return [];
      });
      rows.push(...(await readRows(queue, work, one)));
    }
    return rows;
  }
}

async function readRows<Due extends DueRow, Facts>(
  { table, row, what }: Queue<Due, Facts>,
  { query, log }: Work,
  leased: readonly unknown[],
): Promise<Due[]> {
  const rows: Due[] = [];
  for (const one of leased) {
    const read = row.safeParse(one);
    if (read.success) {
      rows.push({ ...read.data, cause: causeIn(one) });
      continue;
    }
    const { id } = WithId.parse(one);
    log.error({ err: read.error, id }, `one of the ${what} cannot be read, and is postponed`);
    await postpone(query, table, id, z.prettifyError(read.error));
  }
  return rows;
}
