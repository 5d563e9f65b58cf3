import { type CsvRow, csvLimits } from '../csv/csv-rows.ts';
import { type Channel, type Destinations, optOutFields } from '../format.ts';
import { checkCell, type Kind, kindOf, kindsOfCustomFields } from '../values/check-cell.ts';
import { toE164 } from '../values/e164.ts';
import type { Cell } from './cell.ts';
import type { Column, Columns } from './columns.ts';
import { furtherDestinations } from './further-destinations.ts';
import { hasRoom } from './read-phones.ts';
import type { Remarks } from './remark.ts';

/** The field for additional e-mail addresses of a row. A contact has only one, so they fill nothing. */
const furtherEmail = 'further_email';

/** The checked values of a row. An empty cell does not change its field. */
export function readCells(row: CsvRow, columns: Columns, remarks: Remarks, today: string): Cell[] {
  checkShape(row, columns, remarks);
  const further: Cell[] = [];
  const read = (text: string, column: Column): Cell[] => {
    const checked = checkCell(text, kindOfColumn(column), today);
    if ('error' in checked) {
      remarks.error(column.header, checked.error);
      return [];
    }
    const { value, warning, more = [] } = checked;
    if (warning !== undefined) remarks.warn(column.header, warning);
    for (const one of more) {
      if (hasRoom(column.field)) further.push(...read(one, { ...column, field: 'phone' }));
      else remarks.warn(column.header, `"${one}" is left out: the field holds only one value`);
      if (column.field === 'email') further.push(...furtherEmailIn(one, column, today));
    }
    return value === '' ? [] : [{ column, value }];
  };
  const cells = columns.used.flatMap((column) => read(row.cells[column.index] ?? '', column));
  // An opt-out alone would add a contact that nobody can reach, and hold for nobody else.
  if (cells.every(({ column }) => optOutFields.has(column.field)) && remarks.errors.length === 0)
    remarks.error('', `has no value in any imported column${cells.length > 0 ? ' besides opt-outs' : ''}`);
  // After all others, so that these keep their own fields.
  return [...cells, ...further];
}

/** Only a cell that opts somebody out has a value. */
export const optOutsIn = (cells: readonly Cell[]): readonly Channel[] => [
  ...new Set(cells.flatMap(({ column }) => optOutFields.get(column.field) ?? [])),
];

function furtherEmailIn(text: string, column: Column, today: string): Cell[] {
  const checked = checkCell(text, 'email', today);
  return 'error' in checked ? [] : [{ column: { ...column, field: furtherEmail }, value: checked.value }];
}

/**
 * All phone numbers and addresses of a row, including those without a field in the contact, because they belong to the person who
 * opted out.
 */
export function destinationsIn(cells: readonly Cell[], row: CsvRow, { used, unused }: Columns): Destinations {
  const valuesOf = (isOne: (field: string) => boolean) =>
    cells.filter(({ column }) => isOne(column.field)).map(({ value }) => value);
  const others = [...unused, ...used.filter(({ custom }) => custom)];
  const { phones, emails } = furtherDestinations(
    others.map(({ index, header }) => [header, row.cells[index] ?? '']),
  );
  return destinationsOf(
    [...valuesOf(hasRoom), ...phones],
    [...valuesOf((field) => field === 'email' || field === furtherEmail), ...emails],
  );
}

const none: Destinations = { numbers: [], emails: [] };

/** The destinations of whoever opts out. Without any, only a contact that nobody can reach would be opted out. */
export function destinationsToOptOut(
  optOuts: readonly Channel[],
  find: () => Destinations,
  { remarks, addsEach }: { readonly remarks: Remarks; readonly addsEach: boolean },
): Destinations {
  if (optOuts.length === 0) return none;
  const found = find();
  if (found.numbers.length === 0 && found.emails.length === 0 && !addsEach && remarks.errors.length === 0)
    remarks.error(
      '',
      'opts somebody out, but has neither a complete phone number nor an e-mail address; add one, or empty the opt-out',
    );
  return found;
}

/** Phone numbers in E.164, and addresses that a contact could have. A text such as "n/a" is nobody's. */
export const destinationsOf = (phones: readonly string[], emails: readonly string[]): Destinations => ({
  numbers: [...new Set(phones.flatMap((phone) => toE164(phone) ?? []))],
  emails: [...new Set(emails.filter((email) => email.length <= 255 && /\S@\S/.test(email)))],
});

export function kindOfColumn({ field, custom, address }: Column): Kind {
  if (custom) return kindsOfCustomFields[custom.dataType];
  return field === 'phone' ? 'phone' : kindOf(address?.part ?? field);
}

function checkShape({ cells }: CsvRow, { used, count }: Columns, remarks: Remarks) {
  for (const { index, header } of used) {
    if ((cells[index]?.length ?? 0) > csvLimits.cell)
      remarks.error(header, `has more than ${csvLimits.cell} characters`);
  }
  if (cells.slice(count).some((cell) => cell !== ''))
    remarks.error(
      '',
      `has ${cells.length} cells under ${count} headers; put a value that contains the separator in quotes`,
    );
}
