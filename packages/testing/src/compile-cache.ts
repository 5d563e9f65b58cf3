import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Tests start the same programs many times, and Node reuses code from here that it compiled once. */
export const compileCache = () => join(tmpdir(), 'crm-test-compile-cache');

/** About ten times what a run of all tests needs. */
const mostFiles = 50_000;

/** Empties the cache when it is large: Vitest loads a test file under a new name each time, which leaves two files in it. */
export async function limitCompileCache(folder = compileCache(), most = mostFiles): Promise<void> {
  const files = await readdir(folder, { recursive: true }).catch(() => []);
  if (files.length > most) await rm(folder, { recursive: true, force: true });
}
