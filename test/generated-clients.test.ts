import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { projectFolder } from './boundaries/sources.ts';
import { filled, operationsIn } from './openapi/operations.ts';

const inProject = (path: string) => join(projectFolder, path);
const file = inProject('gateway/openapi.json');
const typescript = inProject('packages/other-team/node_modules/typescript');
const folder = mkdtempSync(join(tmpdir(), 'crm-clients-'));
afterAll(() => rmSync(folder, { recursive: true }));
symlinkSync(inProject('node_modules'), join(folder, 'node_modules'));

const operations = operationsIn(JSON.parse(readFileSync(file, 'utf8')));

/** Fails with what the program prints. */
async function run(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<void> {
  await promisify(execFile)(execPath, words, { cwd: folder, env: { ...process.env, ...env } }).catch(
    (error) => expect.fail(`${error.message}\n${error.stdout}`),
  );
}

async function compile(program: string, lines: readonly string[]): Promise<void> {
  expect(lines.length).toBeGreaterThan(150);
  writeFileSync(join(folder, program), lines.join('\n'));
  const options =
    '--singleThreaded --noEmit --strict --skipLibCheck --module esnext --moduleResolution bundler --target esnext';
  await run([
    inProject('node_modules/typescript/bin/tsc'),
    ...options.split(' '),
    '--lib',
    'esnext,dom,dom.iterable',
    program,
  ]);
}

describe('a client that a generator makes from the document', () => {
  it('has every operation with openapi-typescript and openapi-fetch', async () => {
    const generator = inProject('packages/other-team/node_modules/openapi-typescript/bin/cli.js');
    await run([generator, file, '--output', join(folder, 'paths.ts')]);
    const calls = operations.map(({ at, method, params, body }) => {
      const input = JSON.stringify({ ...filled({ params }), body });
      return `await client.${method.toUpperCase()}('${at}', ${input});`;
    });
    await compile('with-fetch.ts', [
      "import createClient from 'openapi-fetch';",
      "import type { paths } from './paths.ts';",
      "const client = createClient<paths>({ baseUrl: 'https://crm.example.com' });",
      ...calls,
      'export {};',
    ]);
  });

  it('has every operation with @hey-api/openapi-ts', async () => {
    // It is installed beside the TypeScript of the project, which has no API for it yet.
    const library = pathToFileURL(join(typescript, 'lib/typescript.js')).href;
    const hook = `import { registerHooks } from 'node:module';
      registerHooks({ resolve: (name, context, next) => next(name === 'typescript' ? '${library}' : name, context) });`;
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(hook)}`;
    const generator = inProject('node_modules/@hey-api/openapi-ts/bin/run.js');
    await run([generator, '-i', file, '-o', join(folder, 'client'), '-s', '--no-log-file'], { NODE_OPTIONS });
    const calls = operations.map(({ operation, params, body }) => {
      const name = operation.operationId.replaceAll(/\.(\w)/g, (_, letter) => letter.toUpperCase());
      return `await client.${name}(${JSON.stringify({ ...params, body })});`;
    });
    await compile('with-sdk.ts', ["import * as client from './client/index';", ...calls]);
  });
});
