import type { Query } from '@crm/data';
import { type Labels, observed } from '@crm/telemetry';
import { lateness } from './due-rows.queries.ts';
import { failing } from './problems.queries.ts';
import type { Queue } from './queue.ts';

/** Observes all lanes of a queue, including idle ones, until the returned function is called. */
export function observeQueue(
  { name, slots, table, check }: Pick<Queue, 'name' | 'slots' | 'table' | 'check'>,
  query: Query,
): () => void {
  const each = async <Row extends { readonly lane: string }>(
    observe: (value: number, labels: Labels<'crm.dispatch.due'>) => void,
    found: Promise<Row[]>,
    what: (row: Row) => number,
  ) => {
    const rows = new Map((await found).map((row) => [row.lane, what(row)]));
    for (const lane of Object.keys(slots))
      observe(rows.get(lane) ?? 0, { 'crm.queue': name, 'crm.lane': lane });
  };
  const ends = [
    observed('crm.dispatch.due', (observe) => each(observe, lateness(query, table), ({ count }) => count)),
    observed('crm.dispatch.lateness', (observe) =>
      each(observe, lateness(query, table), ({ seconds }) => seconds),
    ),
    observed('crm.dispatch.failing', (observe) =>
      each(observe, failing(query, table, check), ({ count }) => count),
    ),
  ];
  return () => {
    for (const end of ends) end();
  };
}
