import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

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

const main = fileURLToPath(new URL('../../../../../crm/src/main.ts', import.meta.url));
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

/** As rich as the contacts of an office: an address, two tags, a source and two custom fields. */
function rowOf(index: number): string {
  const phone = `+1604${String(2_000_000 + index)}`;
  return `Anna ${index},Ng ${index % 997},anna${index}@example.com,${phone},"Buyer, Tag ${index % 50}",Fair ${index % 9},Main St ${index},Burnaby,V5H 0A1,Cat,${index}`;
}

try {
  const header = 'First Name,Last Name,Email,Phone,Tags,Source,Street,City,Zip,custom:Pet,custom(Number):Lot';
  writeFileSync(file, [header, ...Array.from({ length: rows }, (_, index) => rowOf(index))].join('\n'));
  crm('users', 'create', '--email', email, '--password', 'long enough');
  const order = ['contacts', 'import', file, '--user', email, '--create-missing'];
  measured('a dry run', rows, () => crm(...order, '--dry-run'));
  measured('an import', rows, () => crm(...order));
  measured('the import again, skipping rows', rows, () => crm(...order));
  measured('an export', rows, () =>
    crm('contacts', 'export', '--user', email, '--output', join(folder, 'out.csv')),
  );
  await addSingly();
} finally {
  rmSync(folder, { recursive: true });
}

async function addSingly() {
  const { access_token } = JSON.parse(crm('tokens', 'create', '--user', email, '--json'));
  const [gateway] = /http:\/\/[^ "]+(?= is ready)/.exec(crm('doctor', '--json')) ?? [];
  let next = 0;
  const started = performance.now();
  const worker = async () => {
    for (let index = next++; index < singles; index = next++) {
      const response = await fetch(`${gateway}/contacts`, {
        method: 'POST',
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ first_name: `Ben ${index}`, tags: 'Buyer', addresses: [{ city: 'Burnaby' }] }),
      });
      if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`);
      await response.body?.cancel();
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  report('single requests, 8 at once', singles, started);
}
