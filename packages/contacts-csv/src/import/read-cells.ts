import { type CsvRow, csvLimits } from '../csv/csv-rows.ts';
import { checkCell, type Kind, kindOf, kindsOfCustomFields } from '../values/check-cell.ts';
import type { Column, Columns } from './columns.ts';
import type { Remarks } from './remark.ts';

/** A column and its value in one row. */
export interface Cell {
  readonly column: Column;
  readonly value: string;
}

/** The checked values of a row. An empty cell leaves its field as it is. */
export function readCells(row: CsvRow, columns: Columns, remarks: Remarks, today: string): Cell[] {
  checkShape(row, columns, remarks);
  const cells = columns.used.flatMap((column): Cell[] => {
    const checked = checkCell(row.cells[column.index] ?? '', kindOfColumn(column), today);
    if ('error' in checked) {
      remarks.error(column.header, checked.error);
      return [];
    }
    if (checked.warning !== undefined) remarks.warn(column.header, checked.warning);
    return checked.value === '' ? [] : [{ column, value: checked.value }];
  });
  if (cells.length === 0 && remarks.errors.length === 0)
    remarks.error('', 'has no value in any imported column');
  return cells;
}

function kindOfColumn({ field, custom, address }: Column): Kind {
  if (custom) return kindsOfCustomFields[custom.dataType];
  return field === 'phone' ? 'phone' : kindOf(address?.part ?? field);
}

function checkShape({ cells }: CsvRow, { used, count }: Columns, remarks: Remarks) {
  for (const { index, header } of used) {
    if ((cells[index]?.length ?? 0) > csvLimits.cell)
      remarks.error(header, `has more than ${csvLimits.cell} characters`);
  }
  if (cells.slice(count).some((cell) => cell !== ''))
    remarks.error('', `has ${cells.length} cells under ${count} headers`);
}
