import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { ContactsCsvError } from '../contacts-csv-error.ts';

export interface CsvFile {
  readonly path: string;
  readonly bytes: number;
  /** SHA-256 of the content. */
  readonly hash: string;
  readonly delimiter: string;
}

/** More than any header line has. */
const headCharacters = 1_000_000;

/** Reads the whole file before anything is imported from it. Throws if its text cannot be decoded. */
export async function inspectCsv(path: string): Promise<CsvFile> {
  const found = await stat(path).catch((error: Error) => {
    throw new ContactsCsvError('NoFile', `${path} cannot be read: ${error.message}.`);
  });
  if (!found.isFile()) throw new ContactsCsvError('NoFile', `${path} is not a file.`);
  const hash = createHash('sha256');
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let head = '';
  let bytes = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const error = validationErrorOf(chunk, bytes === 0);
    if (error) throw new ContactsCsvError('WrongEncoding', `${path} ${error}`);
    const text = decoded(() => decoder.decode(chunk, { stream: true }), path);
    if (head.length < headCharacters) head += text;
    hash.update(chunk);
    bytes += chunk.length;
  }
  decoded(() => decoder.decode(), path);
  return { path, bytes, hash: hash.digest('hex'), delimiter: delimiterOf(head) };
}

const asUtf8 = 'Save it as "CSV UTF-8".';

function validationErrorOf(chunk: Buffer, isFirst: boolean): string | undefined {
  const start = isFirst ? chunk.toString('hex', 0, 2) : '';
  if (start === 'fffe' || start === 'feff') return `is UTF-16. ${asUtf8}`;
  return chunk.includes(0) ? `contains NUL bytes: it is UTF-16 or not a text file. ${asUtf8}` : undefined;
}

function decoded(decode: () => string, path: string): string {
  try {
    return decode();
  } catch {
    throw new ContactsCsvError('WrongEncoding', `${path} is not UTF-8. ${asUtf8}`);
  }
}

/** The character that separates the most cells in the first line; a comma if there is only one cell. */
export function delimiterOf(text: string): string {
  const [line = ''] = /^\s*(?:"[^"]*"|[^"\r\n])*/.exec(text) ?? [];
  const outside = line.replace(/"[^"]*"/g, '');
  const counted = [',', ';', '\t'].map((delimiter) => ({
    delimiter,
    count: outside.split(delimiter).length,
  }));
  return counted.sort((a, b) => b.count - a.count)[0]?.delimiter ?? ',';
}
