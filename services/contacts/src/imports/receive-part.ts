import {
  BrokenCsv,
  ContactsCsvError,
  type CsvRow,
  csvRows,
  delimiterOf,
  demandDecidedOptOuts,
  ownHeaders,
  readColumns,
} from '@crm/contacts-csv';
import { invalidField, keyReused, type UploadPart } from '@crm/contract';
import type { Query } from '@crm/data';
import type { Context } from '@crm/service';
import type { z } from 'zod';
import { contactsFormat } from '../contacts-format.ts';
import { endImport } from './end-import.ts';
import { linesType } from './import.api.ts';
import { endedBeforeFile } from './import-refusals.api.ts';
import {
  type Arrived,
  addPart,
  comparePart,
  lockUpload,
  noteArrival,
  textFrom,
  type Upload,
} from './part.queries.ts';
import { columnsIn } from './shown-columns.ts';
import { mappingIn, type StoredMapping } from './stored-mapping.ts';

/**
 * Stores a part of a file when it first arrives. With the last part, the import starts waiting for its turn, or ends if nothing
 * can be imported from the file.
 */
export async function receivePart(
  ctx: Context,
  { id, index, text, is_last, problem }: z.output<typeof UploadPart>,
): Promise<void> {
  const upload = await lockUpload(ctx.query, id);
  if (text !== '' && (!upload || index < upload.parts)) await demandSamePart(ctx, id, index, text);
  if (!upload) return;
  if (problem !== undefined) return endImport(ctx, id, { status: 'Failed', error: problem });
  if (index > upload.parts) throw invalidField('index', 'must be the index of the next part');
  if (text !== '' && index === upload.parts)
    await addPart(ctx.query, id, { index, start: upload.bytes, text });
  if (is_last) await noteArrival(ctx.query, id, await inspect(ctx, id, upload));
}

/** Throws Unprocessable if an upload that is repeated has another file, and Conflict if the import ended before it arrived. */
async function demandSamePart({ query }: Context, id: number, index: number, text: string) {
  const outcome = await comparePart(query, id, index, text);
  if (outcome === 'missing') throw endedBeforeFile();
  if (outcome !== 'same')
    throw keyReused({ message: 'This Idempotency-Key was used with a different file.' });
}

/** Reads the beginning of a file. Throws BadRequest if nothing can be imported from it. */
async function inspect({ query }: Context, id: number, { type, is_held, mapping }: Upload): Promise<Arrived> {
  const status = is_held ? 'Mapping' : 'Waiting';
  const [head] = await firstOf(textFrom(query, id, 0));
  if (!head) throw invalidField('file', 'is empty');
  const none = {
    status,
    delimiter: null,
    headers: [],
    columns: [],
    position: 0,
    line: 1,
  } as const;
  if (type === linesType) return none;
  const delimiter = delimiterOf(head.toString());
  const header = await headerOf(query, id, delimiter);
  const headers = [...header.cells];
  const columns = columnsOf(headers, mapping, is_held);
  return { status, delimiter, headers, columns, position: header.end, line: header.endLine };
}

/** The row of headers of a file. Throws BadRequest if it has none. */
export async function headerOf(query: Query, id: number, delimiter: string): Promise<CsvRow> {
  try {
    const [header] = await firstOf(csvRows({ chunks: textFrom(query, id, 0), delimiter }));
    if (header) return header;
  } catch (error) {
    if (!(error instanceof BrokenCsv)) throw error;
    throw invalidField('file', `is malformed on line ${error.line}: ${error.message}`);
  }
  throw invalidField('file', 'has no row');
}

/** The columns of a file that waits until they are confirmed need not fill anything, and its page asks about opt-outs. */
function columnsOf(headers: readonly string[], mapping: StoredMapping, isHeld: boolean) {
  try {
    const columns = readColumns(headers, mappingIn(mapping), contactsFormat);
    if (!isHeld) demandDecidedOptOuts(columns);
    return columnsIn(columns);
  } catch (error) {
    if (!(error instanceof ContactsCsvError)) throw error;
    if (isHeld && error.reason === 'NoHeader') return columnsIn({ headers: ownHeaders(headers), used: [] });
    throw invalidField('file', error.message);
  }
}

async function firstOf<Value>(values: AsyncIterable<Value>): Promise<[Value] | []> {
  for await (const value of values) return [value];
  return [];
}
