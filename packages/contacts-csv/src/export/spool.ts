import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Values kept in a file until they are read once, because they may not fit into memory. */
export interface Spool<Value> {
  add(values: AsyncIterable<Value>): Promise<void>;
  read(): AsyncIterable<Value>;
  close(): Promise<void>;
}

/** The file is unlinked while it is open, so that no personal data remains, however the process ends. */
export async function openSpool<Value>(): Promise<Spool<Value>> {
  const folder = await mkdtemp(join(tmpdir(), 'crm-export-'));
  const file = await open(join(folder, 'rows'), 'wx+', 0o600);
  await rm(folder, { recursive: true });
  return {
    add: (values) => file.writeFile(linesOf(values)),
    async *read() {
      const input = file.createReadStream({ start: 0 });
      for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
        yield JSON.parse(line) as Value;
    },
    close: () => file.close(),
  };
}

/** Line readers also break lines at these characters, which JSON contains unescaped. */
const lineEnds = /[\u2028\u2029\u0085]/g;

async function* linesOf(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const value of values) {
    const text = JSON.stringify(value);
    yield `${text.replace(lineEnds, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
  }
}
