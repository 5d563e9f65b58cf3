import { contactsApi } from '@crm/contacts/api';
import type { z } from 'zod';
import { unprotectCell } from '../csv/cells.ts';
import { type CsvRow, csvLimits } from '../csv/csv-rows.ts';
import { addressFields } from '../fields.ts';
import type { Columns } from './columns.ts';

export type Draft = z.output<typeof contactsApi.contacts.create.input>;

export interface RowError {
  readonly line: number;
  /** The header, or empty if the error is about the row as a whole. */
  readonly column: string;
  readonly reason: string;
}

/** A row that can be written. Its source is a name, because it may have to be created first. */
export interface ReadyRow {
  readonly line: number;
  readonly draft: Draft;
  readonly source: string | undefined;
}

export type HotnessNamed = (name: string) => number | undefined;

/** Validates a row as the service would, so that a dry run reports every invalid field too. */
export function readRow(
  row: CsvRow,
  columns: Columns,
  hotnessNamed: HotnessNamed,
): ReadyRow | readonly RowError[] {
  const values = valuesIn(row, columns);
  const errors = shapeErrors(row, columns);
  const hotness = values.get('hotness');
  const hotness_id = hotness === undefined ? undefined : hotnessNamed(hotness);
  const wrong = (field: string, reason: string) => {
    const column = columns.used.find((column) => column.field === field)?.header ?? '';
    errors.push({ line: row.line, column, reason });
  };
  if (values.size === 0) wrong('', 'has no value in any imported column');
  if (hotness !== undefined && hotness_id === undefined)
    wrong('hotness', 'refers to a hotness that does not exist');
  const source = values.get('source');
  const named = contactsApi.contactSources.create.input.safeParse({ name: source });
  if (source !== undefined && !named.success) wrong('source', named.error.issues[0]?.message ?? 'is invalid');
  const drafted = contactsApi.contacts.create.input.safeParse(draftOf(values, hotness_id));
  for (const { path, message } of drafted.error?.issues ?? []) wrong(fieldAt(path.map(String)), message);
  if (errors.length > 0 || !drafted.data) return errors;
  return { line: row.line, draft: drafted.data, source };
}

/** An empty cell leaves its field as it is. */
function valuesIn({ cells }: CsvRow, { used }: Columns): Map<string, string> {
  const cellsOfFields = used.map(({ index, field }) => [field, unprotectCell(cells[index] ?? '')] as const);
  return new Map(cellsOfFields.filter(([, text]) => text !== ''));
}

function shapeErrors({ line, cells }: CsvRow, { used, count }: Columns): RowError[] {
  const long = used.filter(({ index }) => (cells[index]?.length ?? 0) > csvLimits.cell);
  const errors = long.map(({ header }) => ({
    line,
    column: header,
    reason: `has more than ${csvLimits.cell} characters`,
  }));
  const more = cells.slice(count).some((cell) => cell !== '');
  const reason = `has ${cells.length} cells under ${count} headers`;
  return more ? [...errors, { line, column: '', reason }] : errors;
}

function draftOf(values: ReadonlyMap<string, string>, hotness_id: number | undefined) {
  const own = [...values].filter(
    ([field]) => field !== 'hotness' && field !== 'source' && !addressFields.has(field),
  );
  const parts = [...values].flatMap(([field, text]) => {
    const part = addressFields.get(field);
    return part === undefined ? [] : [[part, text] as const];
  });
  return {
    ...Object.fromEntries(own),
    ...(hotness_id !== undefined && { hotness_id }),
    ...(parts.length > 0 && { addresses: [Object.fromEntries(parts)] }),
  };
}

/** The column's field for a path in an error: `addresses.0.zip` is `zip`. */
export function fieldAt(path: readonly string[]): string {
  const [first = '', , part] = path;
  if (first === 'hotness_id') return 'hotness';
  if (first === 'source_id') return 'source';
  if (first !== 'addresses') return first;
  return [...addressFields].find(([, name]) => name === part)?.[0] ?? '';
}
