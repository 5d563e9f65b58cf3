import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, expect, it } from 'vitest';
import { projectFolder } from './boundaries/sources.ts';
import { startSystem } from './system.ts';

/** What they use of others, which is here already: nothing has to be fetched from a registry. */
const others = ['zod', '@trpc/client', '@trpc/server'];

const folder = mkdtempSync(join(tmpdir(), 'crm-packages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program in the empty folder and returns what it prints. */
async function run(program: string, ...words: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, words, { cwd: folder });
  return stdout;
}

const inProject = (path: string) => join(projectFolder, path);

const promise = 'packages can be built, packed, installed elsewhere, and used as their types say';

it(promise, { timeout: 120_000 }, async () => {
  const system = await startSystem('together');
  const { token } = await system.person();
  await run(execPath, inProject('scripts/build-packages.mjs'));
  const built = readdirSync(inProject('dist')).map((name) => inProject(`dist/${name}`));
  expect(built.length).toBeGreaterThan(7);
  for (const pkgDir of built) {
    const pkg = JSON.parse(readFileSync(join(pkgDir, 'package.json'), 'utf8'));
    const { messages } = await publint({ pkgDir, pack: false, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
    const strange = Object.keys(pkg.dependencies).filter(
      (name) => !name.startsWith('@crm/') && name !== 'zod',
    );
    expect(strange).toEqual(pkg.name === '@crm/client' ? ['@trpc/client'] : []);
  }

  await run('npm', 'pack', '--silent', ...built);
  const tarballs = readdirSync(folder).map((name) => `./${name}`);
  const folders = others.map((name) => inProject(`node_modules/${name}`));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  await run('npm', 'install', '--offline', '--silent', '--no-audit', '--no-fund', ...tarballs, ...folders);

  copyFileSync(new URL('packages/program.ts', import.meta.url), join(folder, 'program.ts'));
  const options = [
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--target',
    'esnext',
    '--lib',
    'esnext,dom',
  ];
  await run(
    execPath,
    inProject('node_modules/typescript/bin/tsc'),
    '--noEmit',
    ...options,
    '--types',
    '',
    'program.ts',
  );
  const place = JSON.stringify({ url: system.url, contactsUrl: system.services.contacts, token });
  const code = `import { report } from './program.ts'; console.log(JSON.stringify(await report(${place})));`;
  expect(JSON.parse(await run(execPath, '--input-type=module', '--eval', code))).toEqual({
    trpc: { first_name: 'Grace', total: 1, refused: 'BadRequest' },
    client: { found: 1, refused: 'NotFound' },
    sdk: { names: ['Grace'], isNotFound: true },
    subject: 'crm.contacts.contact.created',
  });
  await system.stop();
});
