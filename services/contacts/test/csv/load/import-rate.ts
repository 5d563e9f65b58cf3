import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { richFile } from './rich-file.ts';

/**
 * Prints how many rows per second the system that runs imports, imports again and exports, and how many contacts per
 * second single requests add. Leaves an account behind, so use a system of its own.
 */
const { values } = parseArgs({
  options: { rows: { type: 'string', default: '10000' }, singles: { type: 'string', default: '1000' } },
});
const [rows, singles] = [Number(values.rows), Number(values.singles)];

const folder = mkdtempSync(join(tmpdir(), 'crm-import-rate-'));
const email = `rate-${process.pid}@example.com`;
const file = join(folder, 'people.csv');
const print = (line: string) => process.stdout.write(`${line}\n`);

const main = fileURLToPath(new URL('../../../../../crm/src/main.js', import.meta.url));
const crm = (...words: readonly string[]): string =>
  execFileSync(process.execPath, [main, ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });

function measured<Value>(name: string, count: number, work: () => Value): Value {
  const started = performance.now();
  const done = work();
  report(name, count, started);
  return done;
}

function report(name: string, count: number, started: number) {
  const seconds = (performance.now() - started) / 1000;
  print(`${name.padEnd(32)} ${Math.round(count / seconds)} rows/s (${seconds.toFixed(1)} s)`);
}

try {
  writeFileSync(file, [...richFile(rows)].join(''));
  crm('users', 'create', '--email', email, '--password', 'long enough');
  const order = ['contacts', 'import', file, '--user', email, '--create-missing'];
  measured('a dry run', rows, () => crm(...order, '--dry-run'));
  measured('an import', rows, () => crm(...order));
  measured('the import again, skipping rows', rows, () => crm(...order));
  measured('an export', rows, () =>
    crm('contacts', 'export', '--user', email, '--output', join(folder, 'out.csv')),
  );
  await upload();
  await addSingly();
} finally {
  rmSync(folder, { recursive: true });
}

/** Where clients reach the system, and a token of a user. */
function accessOf(user: string) {
  const { access_token } = JSON.parse(crm('tokens', 'create', '--user', user, '--json'));
  const [gateway] = /http:\/\/[^ "]+(?= is ready)/.exec(crm('doctor', '--json')) ?? [];
  return { gateway, authorization: `Bearer ${access_token}` };
}

/** Sends the same file over HTTP for another user, and lists contacts of the first one until it is imported. */
async function upload() {
  const other = `other-${email}`;
  crm('users', 'create', '--email', other, '--password', 'long enough');
  const { gateway, authorization } = accessOf(other);
  const reader = accessOf(email);
  const headers = { authorization, 'content-type': 'text/csv' };
  const body = readFileSync(file);
  const sent = performance.now();
  const response = await fetch(`${gateway}/imports?create_missing=true`, { method: 'POST', headers, body });
  const { id } = (await response.json()) as { readonly id: number };
  report('sending the file over HTTP', rows, sent);
  const started = performance.now();
  const waits: number[] = [];
  for (;;) {
    const began = performance.now();
    const list = await fetch(`${reader.gateway}/contacts?$limit=25`, {
      headers: { authorization: reader.authorization },
    });
    await list.arrayBuffer();
    waits.push(performance.now() - began);
    const read = await fetch(`${gateway}/imports/${id}`, { headers: { authorization } });
    const { status, created, error } = (await read.json()) as Readonly<Record<string, unknown>>;
    if (status === 'Failed' || (status === 'Done' && created !== rows))
      throw new Error(`${status}: ${created}, ${error}`);
    if (status === 'Done') break;
    await sleep(100);
  }
  report('its import', rows, started);
  const sorted = waits.toSorted((a, b) => a - b);
  const quantile = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
  print(`lists of another user meanwhile  p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms`);
}

async function addSingly() {
  const { gateway, authorization } = accessOf(email);
  let next = 0;
  const started = performance.now();
  const worker = async () => {
    for (let index = next++; index < singles; index = next++) {
      const response = await fetch(`${gateway}/contacts`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ first_name: `Ben ${index}`, tags: 'Buyer', addresses: [{ city: 'Burnaby' }] }),
      });
      if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`);
      await response.body?.cancel();
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  report('single requests, 8 at once', singles, started);
}
