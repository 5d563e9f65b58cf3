import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { limitCompileCache } from './compile-cache.ts';

it('the compile cache of tests is emptied only when it has become large', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'crm-compile-cache-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'v26'));
  for (const name of ['a', 'b']) writeFileSync(join(folder, 'v26', name), '');
  await limitCompileCache(folder, 3);
  expect(existsSync(join(folder, 'v26', 'a'))).toBe(true);
  await limitCompileCache(folder, 2);
  expect(existsSync(folder)).toBe(false);
  await limitCompileCache(folder, 2);
});
