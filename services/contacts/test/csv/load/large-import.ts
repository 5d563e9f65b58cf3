import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { richFile } from './rich-file.ts';
import { systemIn } from './running-system.ts';

/**
 * Imports one large file into a system of its own, and prints the rate, processor time and memory, and what lists of another user
 * take alone and meanwhile. With `--kills` it kills the system so many times on the way; the contacts must be those of the file.
 */
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '200000' },
    kills: { type: 'string', default: '0' },
    port: { type: 'string', default: '23000' },
    keep: { type: 'boolean', default: false },
  },
});
const [rows, kills] = [Number(values.rows), Number(values.kills)];

const print = (line: string) => process.stdout.write(`${line}\n`);
const folder = mkdtempSync(join(tmpdir(), 'crm-large-import-'));
const system = systemIn(folder, Number(values.port));

try {
  await system.start();
  const importer = system.newUser('importer@example.com');
  const reader = system.newUser('reader@example.com');
  // PostgreSQL plans for a table with contacts of several users.
  await until(reader, await send(reader, 2_000), 101);
  const other = system.newUser('other@example.com');
  await until(other, await send(other, 20_000), 101);
  await system.rows('vacuum analyze');
  print(`load of the machine: ${loadavg().map((load) => load.toFixed(1))}`);
  print(`lists of another user alone: ${quantiles(await listsFor(reader, AbortSignal.timeout(15_000)))}`);
  const began = performance.now();
  const id = await send(importer, rows);
  print(`${rows} rows arrived in ${secondsSince(began).toFixed(1)} s`);
  for (let kill = 1; kill <= kills; kill++) {
    const { progress } = await until(importer, id, Math.floor((kill * 100) / (kills + 1)));
    print(`killed at ${progress} %`);
    await system.kill();
    await system.start();
  }
  if (kills === 0) await follow(importer, id, reader);
  else await until(importer, id, 101);
  await demandEachRowOnce();
} finally {
  await system.stop();
  if (!values.keep) await rm(folder, { recursive: true, force: true });
}

interface Import {
  readonly id: number;
  readonly status: string;
  readonly progress: number;
  readonly rows: number;
}

async function importAt(path: string, init: RequestInit): Promise<Import> {
  const response = await fetch(`${system.gateway}${path}`, init);
  const body = (await response.json()) as Import;
  if (!response.ok || body.status === 'Failed') throw new Error(JSON.stringify(body));
  return body;
}

async function send(authorization: string, count: number): Promise<number> {
  const headers = { authorization, 'content-type': 'text/csv' };
  const body = ReadableStream.from(richFile(count)).pipeThrough(new TextEncoderStream());
  const init = { method: 'POST', headers, body, duplex: 'half' } as const;
  return (await importAt('/imports?create_missing=true', init)).id;
}

/** An import when it has ended, or so many percent of its file were read. */
async function until(authorization: string, id: number, percent: number): Promise<Import> {
  for (;;) {
    const found = await importAt(`/imports/${id}`, { headers: { authorization } });
    if (found.status === 'Done' || found.progress >= percent) return found;
    await sleep(200);
  }
}

/** How long lists of a user take, some in a second. */
async function listsFor(authorization: string, ended: AbortSignal): Promise<number[]> {
  const waits: number[] = [];
  while (!ended.aborted) {
    const began = performance.now();
    const list = await fetch(`${system.gateway}/contacts?$limit=25`, { headers: { authorization } });
    await list.arrayBuffer();
    if (!list.ok) throw new Error(`A list got ${list.status}.`);
    waits.push(performance.now() - began);
    await sleep(100);
  }
  return waits;
}

function quantiles(waits: readonly number[]): string {
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (share: number) => `${(sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)} ms`;
  return `p50 ${at(0.5)}, p99 ${at(0.99)} of ${sorted.length}`;
}

function secondsSince(moment: number): number {
  return (performance.now() - moment) / 1000;
}

/** Prints what an import uses from now until its end. */
async function follow(importer: string, id: number, reader: string) {
  const ended = new AbortController();
  const lists = listsFor(reader, ended.signal);
  const from = await until(importer, id, 0);
  const [began, before] = [performance.now(), system.usage()];
  for (const percent of [10, 50]) {
    const found = await until(importer, id, percent);
    print(`${found.progress} %, ${found.rows} rows: ${system.usage().mebibytes} MiB in Node`);
  }
  const imported = (await until(importer, id, 101)).rows - from.rows;
  const [seconds, after] = [secondsSince(began), system.usage()];
  ended.abort();
  print(`100 %: ${after.mebibytes} MiB in Node`);
  print(`${Math.round(imported / seconds)} rows/s (${imported} in ${seconds.toFixed(1)} s)`);
  for (const [program, used] of Object.entries(after.seconds)) {
    const perRow = ((used - (before.seconds[program] ?? 0)) * 1000) / imported;
    print(`${program}: ${perRow.toFixed(3)} ms of processor time per row`);
  }
  print(`lists of another user meanwhile: ${quantiles(await lists)}`);
  print(`load of the machine: ${loadavg().map((load) => load.toFixed(1))}`);
}

/** Throws unless each row of the file is one contact with what belongs to it, one event and one entry of the audit log. */
async function demandEachRowOnce() {
  const [found] = await system.rows(`
    with imported as (
      select id, email from contacts where owner_user_id = (select min(owner_user_id) from contacts))
    select count(*) as contacts, count(distinct email) as people,
      (select count(*) from addresses where contact_id in (select id from imported)) as addresses,
      (select count(*) from contact_tags where contact_id in (select id from imported)) as tags,
      (select count(*) from custom_field_values where contact_id in (select id from imported)) as values,
      (select count(*) from outbox where subject = 'crm.contacts.contact.created'
        and (payload -> 'data' ->> 'contact_id')::int in (select id from imported)) as events,
      (select count(*) from audit_events where record_type = 'contact' and record_id in (select id from imported))
        as audited
    from imported`);
  const expected = {
    contacts: rows,
    people: rows,
    addresses: rows,
    tags: 2 * rows,
    values: 2 * rows,
    events: rows,
    audited: rows,
  };
  for (const [name, count] of Object.entries(expected))
    if (Number(found?.[name]) !== count) throw new Error(`${found?.[name]} ${name} in place of ${count}.`);
  print(`each row is one contact: ${JSON.stringify(found)}`);
}
