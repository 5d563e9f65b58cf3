import { ContactsCsvError } from '../contacts-csv-error.ts';
import { BrokenCsv, type CsvRow } from '../csv/csv-rows.ts';
import { type DateOrder, dateOrderOf } from '../values/date.ts';
import type { Column, Columns } from './columns.ts';
import { kindOfColumn } from './read-cells.ts';

interface Found {
  readonly line: number;
  readonly date: string;
}

/**
 * Throws if a column has dates that begin with the day and others that would be read as beginning with the month. Some of them
 * would be wrong, and nobody would notice: in most of them either number could be the month.
 */
export async function demandOneDateOrder(
  rows: AsyncIterable<CsvRow>,
  { used }: Pick<Columns, 'used'>,
): Promise<void> {
  const columns = used.filter((column) => ['date', 'instant'].includes(kindOfColumn(column)));
  if (columns.length === 0) return;
  const found = new Map<string, Found>();
  const foundAs = ({ index }: Column, { first, isDotted }: DateOrder) => `${index} ${first} ${isDotted}`;
  try {
    for await (const { line, cells } of rows) {
      for (const column of columns) {
        const order = dateOrderOf(cells[column.index] ?? '');
        const key = order && foundAs(column, order);
        if (!key || found.has(key)) continue;
        found.set(key, { line, date: order.date });
        const day = found.get(foundAs(column, { ...order, first: 'day' }));
        const month = found.get(foundAs(column, { ...order, first: 'month' }));
        if (day && month) throw contradiction(column, day, month);
      }
    }
  } catch (error) {
    // The import reports it when it gets there.
    if (!(error instanceof BrokenCsv)) throw error;
  }
}

const contradiction = ({ header }: Column, day: Found, month: Found) =>
  new ContactsCsvError(
    'DateOrders',
    `In the column "${header}", line ${day.line} begins with the day (${day.date}), and line ${month.line} would be read as beginning with the month (${month.date}). Write all its dates as YYYY-MM-DD.`,
  );
