import { createReadStream } from 'node:fs';
import { ContactsCsvError } from '../contacts-csv-error.ts';
import { type CsvFile, inspectCsv } from '../csv/csv-file.ts';
import { BrokenCsv, type CsvRow, csvRows } from '../csv/csv-rows.ts';
import type { Format } from '../format.ts';
import { type Columns, readColumns } from './columns.ts';
import type { Mapping } from './mapping.ts';
import { demandDecidedOptOuts } from './undecided-opt-outs.ts';

/** A file whose text and headers were read. Its rows can be read once. */
export interface ContactsFile extends CsvFile {
  readonly format: Format;
  readonly columns: Columns;
  /** Whether columns that match no field are custom fields. */
  readonly allOthers: boolean;
  readonly rows: AsyncIterable<CsvRow>;
}

/** Reads the whole file and its headers. Throws ContactsCsvError if nothing can be imported from it. */
export async function openContactsFile(
  path: string,
  mapping: Mapping,
  format: Format,
): Promise<ContactsFile> {
  const file = await inspectCsv(path);
  const rows = csvRows({ chunks: createReadStream(path), delimiter: file.delimiter });
  const header = await rows.next().catch((error: unknown) => {
    if (!(error instanceof BrokenCsv)) throw error;
    throw new ContactsCsvError('NoHeader', `${path} is malformed on line ${error.line}: ${error.message}.`);
  });
  if (header.done) throw new ContactsCsvError('NoHeader', `${path} is empty.`);
  const columns = readColumns(header.value.cells, mapping, format);
  demandDecidedOptOuts(columns);
  return { ...file, format, columns, allOthers: mapping.has('*'), rows };
}
