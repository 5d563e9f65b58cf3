import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Unable } from '../system/unable.ts';

export interface CsvFile {
  readonly path: string;
  readonly bytes: number;
  /** Of the whole content. */
  readonly hash: string;
  readonly delimiter: string;
}

/** Longer than any line of headers. */
const headCharacters = 1_000_000;

/** Reads a file through once, before anything is done with it. Throws when its text cannot be read. */
export async function inspectCsv(path: string): Promise<CsvFile> {
  const found = await stat(path).catch((error: Error) => {
    throw new Unable('NoFile', `${path} cannot be read: ${error.message}.`);
  });
  if (!found.isFile()) throw new Unable('NoFile', `${path} is not a file.`);
  const hash = createHash('sha256');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let head = '';
  let bytes = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const error = validationErrorOf(chunk, bytes === 0);
    if (error) throw new Unable('WrongEncoding', `${path} ${error}`);
    const text = decoded(() => decoder.decode(chunk, { stream: true }), path);
    if (head.length < headCharacters) head += text;
    hash.update(chunk);
    bytes += chunk.length;
  }
  decoded(() => decoder.decode(), path);
  return { path, bytes, hash: hash.digest('hex'), delimiter: delimiterOf(head) };
}

const asUtf8 = 'Save it as «CSV UTF-8».';

function validationErrorOf(chunk: Buffer, isFirst: boolean): string | undefined {
  const start = isFirst ? chunk.toString('hex', 0, 2) : '';
  if (start === 'fffe' || start === 'feff') return `is UTF-16. ${asUtf8}`;
  return chunk.includes(0) ? `holds NUL bytes: it is UTF-16, or no text at all. ${asUtf8}` : undefined;
}

function decoded(decode: () => string, path: string): string {
  try {
    return decode();
  } catch {
    throw new Unable('WrongEncoding', `${path} is not UTF-8. ${asUtf8}`);
  }
}

/** The sign that separates most cells of the first line; the comma when there is but one cell. */
export function delimiterOf(text: string): string {
  const [line = ''] = /^\s*(?:"[^"]*"|[^"\r\n])*/.exec(text) ?? [];
  const outside = line.replace(/"[^"]*"/g, '');
  const counted = [',', ';', '\t'].map((sign) => ({ sign, count: outside.split(sign).length }));
  return counted.sort((a, b) => b.count - a.count)[0]?.sign ?? ',';
}
