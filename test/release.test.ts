import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { afterAll, expect, it } from 'vitest';
import { projectFolder } from './boundaries/sources.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-release-of-packages-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The version of each package that others install. */
function versionsIn(root: string): Readonly<Record<string, string>> {
  const manifests = globSync('{packages,services}/*/package.json', { cwd: root }).map((file) =>
    JSON.parse(readFileSync(join(root, file), 'utf8')),
  );
  return Object.fromEntries(
    manifests
      .filter(({ publishConfig }) => publishConfig?.exports)
      .map(({ name, version }) => [name, version]),
  );
}

it('a release gives all packages that others install the same new version', () => {
  const files = globSync(
    ['package.json', 'package-lock.json', '{packages,services,deploy}/*/package.json', '.changeset/*'],
    { cwd: projectFolder },
  );
  for (const file of files) cpSync(join(projectFolder, file), join(folder, file));
  const [before = ''] = new Set(Object.values(versionsIn(folder)));
  writeFileSync(join(folder, '.changeset', 'planned.md'), '---\n"@crm/sdk": major\n---\n\nA break.\n');
  const changesets = join(projectFolder, 'node_modules/@changesets/cli/bin.js');
  execFileSync(execPath, [changesets, 'version'], { cwd: folder, stdio: 'ignore' });
  const [after = '', ...others] = new Set(Object.values(versionsIn(folder)));
  expect(others).toEqual([]);
  expect([before, after]).toEqual([before, `${Number(before.split('.')[0]) + 1}.0.0`]);
  expect(globSync('.changeset/*.md', { cwd: folder })).toEqual([]);
});
