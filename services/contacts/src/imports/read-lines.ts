import {
  addressesIn,
  BrokenCsv,
  type Channel,
  type CsvRow,
  destinationsOf,
  destinationsToOptOut,
  draftFor,
  type ForAll,
  furtherDestinations,
  type InvalidRow,
  optOutFields,
  type Place,
  type ReadyRow,
  remarksOn,
} from '@crm/contacts-csv';
import { couldAsk, optOutField } from '@crm/contract';
import { contactsFormat } from '../contacts-format.ts';
import { fieldsIn, isEmpty, unknownIn } from './fields-of-line.ts';

/** More than a line needs. */
const maxLineBytes = 1_000_000;

const lf = 10;

/** The lines of a file, each as a row with one cell. Empty lines are left out. */
export async function* linesIn(chunks: AsyncIterable<Buffer>, from: Place): AsyncGenerator<CsvRow> {
  let { offset, line } = from;
  let rest: Buffer = Buffer.alloc(0);
  const rowOf = (bytes: Buffer, ending: number): CsvRow => {
    const row = {
      line,
      cells: [bytes.toString().trim()],
      end: offset + bytes.length + ending,
      endLine: line + ending,
    };
    offset = row.end;
    line = row.endLine;
    return row;
  };
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(lf); end >= 0; end = rest.indexOf(lf)) {
      const row = rowOf(rest.subarray(0, end), 1);
      rest = rest.subarray(end + 1);
      if (row.cells[0] !== '') yield row;
    }
    if (rest.length > maxLineBytes)
      throw new BrokenCsv(line, `the line is longer than ${maxLineBytes} bytes`);
  }
  if (rest.toString().trim() !== '') yield rowOf(rest, 0);
}

/** Reads a line like the body of POST /contacts. Addresses are those of the new contact, so their ids mean nothing. */
export function readLine(row: CsvRow, forAll: ForAll | undefined, addsEach: boolean): ReadyRow | InvalidRow {
  const remarks = remarksOn(row.line);
  const record = draftIn(row.cells[0] ?? '');
  if (!record) remarks.error('', 'must be a JSON object');
  const drafted =
    record &&
    draftFor(fieldsIn(record), { format: contactsFormat, forAll }, (path, message) =>
      remarks.error(path.join('.'), message),
    );
  const optOuts = record && optOutsIn(record, remarks.error);
  const unknown = record ? unknownIn(record) : '';
  if (drafted && isEmpty(drafted.changes))
    remarks.error('', `has no value in any field of a contact${unknown && `, but in ${unknown}`}`);
  else if (unknown !== '') remarks.warn('', `left out, because a contact has no such fields: ${unknown}`);
  const find = () => destinationsIn(record ?? {});
  const destinations = destinationsToOptOut(optOuts ?? [], find, { remarks, addsEach });
  const { errors, warnings } = remarks;
  if (!drafted || !optOuts || errors.length > 0) return { row, errors, warnings };
  const addresses = (drafted.draft.addresses ?? []).map((_, index) => ({ n: index + 1, fields: {} }));
  const nothingElse = { source: undefined, hotness: undefined, sharedWith: [], cells: [] };
  return { row, line: row.line, ...drafted, ...nothingElse, optOuts, destinations, addresses, warnings };
}

/** The numbers and addresses of a line. Its address is not checked as in a cell, and may be surrounded by anything. */
function destinationsIn(record: Readonly<Record<string, unknown>>) {
  const textsIn = (...fields: readonly string[]) =>
    fields.map((field) => record[field]).filter((value) => typeof value === 'string');
  const emails = textsIn('email').flatMap((email) => [email, ...addressesIn(email)]);
  const others = Object.entries(record).flatMap(([name, value]) =>
    typeof value === 'string' && !Object.hasOwn(contactsFormat.contact.shape, name)
      ? [[name, value] as const]
      : [],
  );
  const further = furtherDestinations(others);
  return destinationsOf(
    [...textsIn('mobile_phone', 'home_phone', 'office_phone'), ...further.phones],
    [...emails, ...further.emails],
  );
}

/**
 * What only files contain about a contact, by the names of columns. As in CSV, only an opt-out counts: true, or false for a
 * field that asks who may get messages. Another name that could mean an opt-out is refused: if it were ignored, the contact
 * would get messages.
 */
function optOutsIn(
  record: Readonly<Record<string, unknown>>,
  onError: (field: string, reason: string) => void,
): readonly Channel[] {
  const found = Object.entries(record).flatMap(([name, value]) => {
    const channels = name.endsWith('_status') ? undefined : optOutFields.get(name);
    const field = channels ? name : optOutField(name);
    if (field === undefined) {
      if (couldAsk(name))
        onError(
          name,
          'names no field and could say that the contact gets no messages; name it text_opt_out, email_opt_out or opt_out (or text_opt_in, email_opt_in or opt_in if true means messages), or leave it out',
        );
      return [];
    }
    if (!channels) onError(name, `must be named ${field.replace('status', 'opt_out')}, and be true or false`);
    else if (value !== null && typeof value !== 'boolean') onError(name, 'must be true or false');
    return value === !field.endsWith('opt_in') ? (channels ?? []) : [];
  });
  return [...new Set(found)];
}

/** What an export contains about a contact besides its fields. */
export const optOutFlags = (optedOut: readonly Channel[]): object => ({
  text_opt_out: optedOut.includes('Text'),
  email_opt_out: optedOut.includes('Email'),
});

/** The JSON object of a line, if it is one. */
export function recordIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function draftIn(text: string): Readonly<Record<string, unknown>> | undefined {
  const record = recordIn(text);
  if (record?.addresses === undefined) return record;
  return { ...record, addresses: withoutIds(record.addresses) };
}

const withoutIds = (addresses: unknown): unknown =>
  Array.isArray(addresses)
    ? addresses.map((one) =>
        typeof one === 'object' && one !== null ? { ...one, id: undefined } : (one as unknown),
      )
    : addresses;
