import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { routes, webRoutes } from '@crm/gateway';
import { openApiDocument } from '@crm/gateway/openapi';
import { installDebianPackage } from '@crm/testing';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { projectFolder } from './boundaries/sources.ts';
import { operationsIn } from './openapi/operations.ts';

interface Received {
  readonly method: string;
  readonly path: string;
  readonly token: string | undefined;
  readonly type: string | undefined;
  readonly body: string;
}

/** In the place of a system: accepts everything, and notes it. */
const received: Received[] = [];
beforeEach(() => void received.splice(0));
const server = createServer(async (request, response) => {
  const { method = '', url = '', headers } = request;
  const [path = '', query] = url.split('?');
  const sent = await text(request);
  const type = sent === '' ? undefined : headers['content-type'];
  received.push({
    method,
    path: query === undefined ? path : `${path}?`,
    token: headers.authorization,
    type,
    body: sent,
  });
  response.setHeader('content-type', 'application/json').end('{}');
}).listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => server.close());
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const folder = mkdtempSync(join(tmpdir(), 'crm-samples-'));
afterAll(() => rmSync(folder, { recursive: true }));
const inProject = (path: string) => join(projectFolder, path);
symlinkSync(inProject('node_modules'), join(folder, 'node_modules'));

const document = openApiDocument([...routes, ...webRoutes], address);
const operations = operationsIn(JSON.parse(JSON.stringify(document)));
const samplesIn = (label: string) =>
  operations.map(
    ({ operation }) => operation['x-codeSamples'].find((one) => one.label === label)?.source ?? '',
  );

/** What is documented, as the server notes it: ids are any number, and the SDK sends an empty body where none is needed. */
const documented = operations.map(({ at, method, operation, params, type, body }) => {
  const path = at.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '\\w+');
  const none = { type: undefined, body: '' };
  return {
    method: method.toUpperCase(),
    path: expect.stringMatching(new RegExp(`^${path}${'query' in params ? '\\?' : ''}$`)),
    token: operation.security.length > 0 ? 'Bearer secret' : undefined,
    ...(type === undefined ? none : { type, body }),
  };
});
const noted = () =>
  received.map(({ type, body, ...rest }) => {
    if (body === '{}') return { ...rest, type: undefined, body: '' };
    return { ...rest, type, body: type === 'application/json' ? JSON.parse(body) : body };
  });

/** Fails with what the program prints. */
async function run(program: string, ...words: readonly string[]): Promise<void> {
  // Neither a proxy nor settings of whoever runs the tests.
  const { PATH } = process.env;
  const env = { PATH, TOKEN: 'secret', NO_COLOR: '1' };
  await promisify(execFile)(program, words, { cwd: folder, env, maxBuffer: 2 ** 26 }).catch((error) =>
    expect.fail(`${error.message}\n${error.stdout}`),
  );
}

function written(extension: string, label: string): string[] {
  const samples = samplesIn(label);
  expect(samples.length).toBeGreaterThan(150);
  return samples.map((source, index) => {
    const name = `sample-${index}.${extension}`;
    writeFileSync(join(folder, name), `${source}\n`);
    return name;
  });
}

describe('the samples of code in the document send the requests that it shows', () => {
  it('with curl', async () => {
    await run('sh', '-euc', samplesIn('curl').join('\n'));
    expect(noted()).toEqual(documented);
  });

  it('in TypeScript, and compile', async () => {
    const files = written('ts', 'TypeScript');
    const moduleOptions = { moduleDetection: 'force', allowImportingTsExtensions: true, noEmit: true };
    const compilerOptions = {
      strict: true,
      skipLibCheck: true,
      module: 'nodenext',
      target: 'esnext',
      types: ['node'],
    };
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...compilerOptions, ...moduleOptions }, files }),
    );
    await run(execPath, inProject('node_modules/typescript/bin/tsc'), '-p', '.', '--singleThreaded');
    const all = files.map((file) => `await import('./${file}');`);
    writeFileSync(join(folder, 'all.js'), all.join('\n'));
    await run(execPath, 'all.js');
    expect(noted()).toEqual(documented);
  });

  it('in Python', async () => {
    await promisify(execFile)('python3', ['--version']).catch(() => installDebianPackage('python3'));
    const files = written('py', 'Python');
    await run('python3', '-c', 'import runpy, sys\nfor file in sys.argv[1:]: runpy.run_path(file)', ...files);
    expect(noted()).toEqual(documented);
  });
});
