import { byteOrderMark, csvText, errorColumns, ownHeaders, remarkedRow } from '@crm/contacts-csv';
import { type Context, getRecord } from '@crm/service';
import { csvType, linesType } from './import.api.ts';
import { formOf, importRows, type Remarked, remarksOf } from './import.queries.ts';
import { recordIn } from './read-lines.ts';

/** The number of rows in a part of a file. */
const partSize = 500;

interface RemarksPart {
  readonly id: number;
  readonly cursor?: string | undefined;
}

/** A part of the rows with errors or warnings, in the form of the file that was sent. Throws NotFound. */
export async function remarksFile(ctx: Context, { id, cursor }: RemarksPart, kind: 'errors' | 'warnings') {
  await getRecord(ctx, importRows, { id, $select: ['id'] });
  const form = await formOf(ctx.query, id);
  const after = cursor === undefined ? 0 : Number(cursor);
  const remarked = await remarksOf(ctx.query, id, {
    isError: kind === 'errors',
    after,
    limit: partSize,
  });
  const next = remarked.length < partSize ? null : String(remarked.at(-1)?.line ?? after);
  if (form.type === linesType) return { type: linesType, text: remarked.map(lineOf).join(''), next };
  const headers = ownHeaders(form.headers);
  const columns = { headers, count: form.headers.length };
  const rows = remarked.map((row) => remarkedRow(columns, row, row.reason));
  const header = cursor === undefined ? [[...headers, ...errorColumns]] : [];
  const mark = cursor === undefined ? byteOrderMark : '';
  return { type: csvType, text: mark + csvText([...header, ...rows], form.delimiter ?? ','), next };
}

/** The record of a line with the remarks about it; a line that is not a record becomes a text. */
function lineOf({ line, cells: [text = ''], reason }: Remarked): string {
  return `${JSON.stringify({ ...(recordIn(text) ?? { text }), line, reason })}\n`;
}
