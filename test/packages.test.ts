import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, expect, it } from 'vitest';
import { projectFolder } from './boundaries/sources.ts';
import { startSystem } from './system.ts';

/** What they use of others, which is here already: nothing has to be fetched from a registry. */
const others = ['zod', '@trpc/client', '@trpc/server'];

/** What the program uses. npm would look for what one of them needs in a registry. */
const copied = ['eventsource', 'eventsource-parser'];

const folder = mkdtempSync(join(tmpdir(), 'crm-packages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const inProject = (path: string) => join(projectFolder, path);

/** Runs a program in the empty folder and returns what it prints. */
async function run(program: string, ...words: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, words, { cwd: folder }).catch((error) => {
    throw new Error(`${error.message}\n${error.stdout}`);
  });
  return stdout;
}

/** What is wrong with the types of a package. It is for modules only, so older ways to resolve one need not find it. */
async function wrongTypesIn(tarball: string) {
  const checked = await checkPackage(createPackageFromTarballData(readFileSync(join(folder, tarball))));
  if (!checked.types) return ['It has no types.'];
  return checked.problems.filter(
    ({ kind, ...problem }) =>
      kind !== 'CJSResolvesToESM' && !('resolutionKind' in problem && problem.resolutionKind === 'node10'),
  );
}

/** The oldest that the packages are for, and those of the project. */
const versions = {
  typescript: ['packages/other-team/node_modules/typescript', 'node_modules/typescript'],
  node: [inProject('packages/other-team/node_modules/.bin/node'), execPath],
};

const promise = 'packages can be built, packed, installed elsewhere, and used as their types say';

it(promise, async () => {
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
  for (const tarball of tarballs) expect([tarball, await wrongTypesIn(tarball)]).toEqual([tarball, []]);
  const folders = others.map((name) => inProject(`node_modules/${name}`));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  await run('npm', 'install', '--offline', '--silent', '--no-audit', '--no-fund', ...tarballs, ...folders);

  for (const name of copied)
    cpSync(inProject(`node_modules/${name}`), join(folder, 'node_modules', name), { recursive: true });
  copyFileSync(inProject('packages/other-team/src/program.ts'), join(folder, 'program.ts'));
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    module: 'nodenext',
    target: 'esnext',
    lib: ['esnext', 'dom'],
    types: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  for (const typescript of versions.typescript) {
    const tsc = inProject(`${typescript}/bin/tsc`);
    // Node 20 does not remove types itself.
    await run(execPath, tsc, '-p', '.');
  }
  const platformToken = system.credentials.platform;
  const place = JSON.stringify({
    url: system.url,
    contactsUrl: system.services.contacts,
    token,
    platformToken,
  });
  const code = `import { report } from './program.js'; console.log(JSON.stringify(await report(${place})));`;
  for (const [times, node] of versions.node.entries()) {
    expect(JSON.parse(await run(node, '--input-type=module', '--eval', code))).toEqual({
      trpc: { first_name: 'Grace', total: 1 + 3 * times, refused: 'BadRequest' },
      client: { found: 1 + times, refused: 'NotFound' },
      sdk: { names: times === 0 ? ['Grace'] : ['Grace', 'Grace'], isNotFound: true },
      subject: 'crm.contacts.contact.created',
      events: { isFirst: true, isMissed: true },
    });
  }
  await system.stop();
});
