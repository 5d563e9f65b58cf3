import type { CsvRow } from '../csv/csv-rows.ts';
import { comparablePhone } from '../values/e164.ts';
import type { Cell } from './cell.ts';
import type { Remarks } from './remark.ts';

const slots = ['mobile_phone', 'home_phone', 'office_phone'] as const;

/** Whether an additional phone of a column with this field fills whichever field is free. */
export const hasRoom = (field: string): boolean => field === 'phone' || slots.some((slot) => slot === field);

/** Fields by the labels that programs give to phones. */
const labels: readonly (readonly [RegExp, string])[] = [
  [/fax/i, 'fax'],
  [/mobile|cell|main|iphone/i, 'mobile_phone'],
  [/home/i, 'home_phone'],
  [/work|office|business/i, 'office_phone'],
];

const isSame = (one: string, other: string): boolean => comparablePhone(one) === comparablePhone(other);

/** Gives each phone of unknown type the field that its label names, or one that is free. */
export function readPhones(
  cells: readonly Cell[],
  { cells: texts }: CsvRow,
  values: Map<string, string>,
  remarks: Remarks,
) {
  for (const { column, value } of cells.filter(({ column }) => column.field === 'phone')) {
    const label = (column.label === undefined ? '' : texts[column.label]) || column.header;
    const [, labeled] = labels.find(([words]) => words.test(label)) ?? [];
    if ([...values].some(([field, phone]) => slots.some((one) => one === field) && isSame(phone, value)))
      continue;
    const free = [labeled, ...slots].find((field) => field !== undefined && !values.has(field));
    if (free === undefined) {
      remarks.warn(
        column.header,
        `"${value}" is left out: the contact already has a mobile, home and office phone`,
      );
      continue;
    }
    values.set(free, value);
    if (labeled !== undefined && labeled !== free)
      remarks.warn(
        column.header,
        `"${value}" became the ${free.replace('_', ' ')}, because the other is taken`,
      );
  }
}
