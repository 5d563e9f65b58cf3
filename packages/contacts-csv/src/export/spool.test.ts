import { readdirSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openSpool } from './spool.ts';

async function* these(values: readonly string[]) {
  yield* values;
}

it('contacts waiting to be exported are in no file with a name, and are read as they were added', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'crm-spool-'));
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('TMPDIR', folder.path);
  const spool = await openSpool<string>();
  const values = ['Ada', 'two\nlines', 'two\u2028more', ''];
  await spool.add(these(values));
  expect(readdirSync(folder.path)).toEqual([]);
  expect(await Array.fromAsync(spool.read())).toEqual(values);
  await spool.close();
});
