import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const files = [
  'Dockerfile',
  'docker-compose.yml',
  'deploy/compose/ha.yml',
  'deploy/compose/patroni.Dockerfile',
];
const pins = (text: string) => [...text.matchAll(/[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}/g)].map(String);

/** A copy of what is pinned, and a registry that has these digests. */
function copyWith(digestOf: (image: string) => string) {
  const folder = mkdtempSync(join(tmpdir(), 'crm-pins-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const file of [...files, 'scripts/pin-images.mjs']) cpSync(join(root, file), join(folder, file));
  const known = new Set(files.flatMap((file) => pins(readFileSync(join(root, file), 'utf8'))));
  const cases = [...known].map((pin) => `${pin.split('@')[0]}) echo ${digestOf(pin)};;`);
  mkdirSync(join(folder, 'bin'));
  const docker = join(folder, 'bin', 'docker');
  writeFileSync(docker, `#!/bin/sh\ncase "$4" in\n${cases.join('\n')}\nesac\n`);
  chmodSync(docker, 0o755);
  const run = (...args: string[]) => {
    const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` };
    const script = join(folder, 'scripts/pin-images.mjs');
    return spawnSync(process.execPath, [script, ...args], { env, encoding: 'utf8' });
  };
  return { run, read: (file: string) => readFileSync(join(folder, file), 'utf8') };
}

const current = (pin: string) => pin.split('@')[1] ?? '';
const other = `sha256:${'5'.repeat(64)}`;

it('finds nothing to do while the registries have the digests of the images', () => {
  expect(copyWith(current).run()).toMatchObject({ status: 0, stderr: '' });
});

it('names the files with another digest, and writes it if asked to', () => {
  const { run, read } = copyWith((pin) => (pin.startsWith('postgres:') ? other : current(pin)));
  const { status, stderr } = run();
  expect(status).toBe(1);
  expect(stderr.match(/^\S+/gm)).toEqual(['docker-compose.yml', 'deploy/compose/patroni.Dockerfile']);
  expect(run('--write').status).toBe(0);
  for (const file of files) {
    const before = pins(readFileSync(join(root, file), 'utf8'));
    const after = before.map((pin) => (pin.startsWith('postgres:') ? `${pin.split('@')[0]}@${other}` : pin));
    expect(pins(read(file))).toEqual(after);
  }
  expect(run()).toMatchObject({ status: 0, stderr: '' });
});

it('fails for an image that a registry does not have', () => {
  const { run } = copyWith(() => '');
  expect(run()).toMatchObject({ status: 1, stderr: expect.stringMatching(/Docker has no digest of node:/) });
});
