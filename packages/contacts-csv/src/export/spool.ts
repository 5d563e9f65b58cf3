import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Values that are kept in a file of their owner until they are read once, because they may be too many for memory. */
export interface Spool<Value> {
  add(values: AsyncIterable<Value>): Promise<void>;
  read(): AsyncIterable<Value>;
  close(): Promise<void>;
}

export async function openSpool<Value>(): Promise<Spool<Value>> {
  const folder = await mkdtemp(join(tmpdir(), 'crm-export-'));
  const path = join(folder, 'rows');
  return {
    async add(values) {
      await pipeline(Readable.from(linesOf(values)), createWriteStream(path, { flags: 'a', mode: 0o600 }));
    },
    async *read() {
      for await (const line of createInterface({
        input: createReadStream(path),
        crlfDelay: Number.POSITIVE_INFINITY,
      }))
        yield JSON.parse(line) as Value;
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Readers of lines also end them at these characters, which JSON contains as they are. */
const lineEnds = /[\u2028\u2029\u0085]/g;

async function* linesOf(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const value of values) {
    const text = JSON.stringify(value);
    yield `${text.replace(lineEnds, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
  }
}
