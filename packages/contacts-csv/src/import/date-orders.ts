import { ContactsCsvError } from '../contacts-csv-error.ts';
import { BrokenCsv, type CsvRow } from '../csv/csv-rows.ts';
import { type DateOrder, dateOrderOf } from '../values/date.ts';
import type { Column, Columns } from './columns.ts';
import { kindOfColumn } from './read-cells.ts';

interface Found {
  readonly line: number;
  readonly date: string;
}

/** The first date of each order in each column. */
export type DateOrders = ReadonlyMap<string, Found>;

const foundAs = (index: number, first: DateOrder['first'], isDotted: boolean) =>
  `${index} ${first} ${isDotted}`;

/** In which orders the cells of rows are dates, whatever their columns are. */
export async function dateOrdersIn(rows: AsyncIterable<CsvRow>): Promise<DateOrders> {
  const found = new Map<string, Found>();
  try {
    for await (const { line, cells } of rows) {
      for (const [index, cell] of cells.entries()) {
        const order = dateOrderOf(cell);
        const key = order && foundAs(index, order.first, order.isDotted);
        if (key && !found.has(key)) found.set(key, { line, date: order.date });
      }
    }
  } catch (error) {
    // The import reports it when it gets there.
    if (!(error instanceof BrokenCsv)) throw error;
  }
  return found;
}

/**
 * Throws if a column has dates that begin with the day and others that would be read as beginning with the month. Some of them
 * would be wrong, and nobody would notice: in most of them either number could be the month.
 */
export function demandOneDateOrder(orders: DateOrders, { used }: Pick<Columns, 'used'>): void {
  for (const column of used) {
    if (!['date', 'instant'].includes(kindOfColumn(column))) continue;
    for (const isDotted of [false, true]) {
      const day = orders.get(foundAs(column.index, 'day', isDotted));
      const month = orders.get(foundAs(column.index, 'month', isDotted));
      if (day && month) throw contradiction(column, day, month);
    }
  }
}

const contradiction = ({ header }: Column, day: Found, month: Found) =>
  new ContactsCsvError(
    'DateOrders',
    `In the column "${header}", line ${day.line} begins with the day (${day.date}), and line ${month.line} would be read as beginning with the month (${month.date}). Write all its dates as YYYY-MM-DD.`,
  );
