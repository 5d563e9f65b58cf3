import {
  appendFileSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { cutLog, limitLogs, logFileOf } from './log-file.ts';

/** A data folder. */
function folder() {
  const path = mkdtempSync(join(tmpdir(), 'crm-logs-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  mkdirSync(join(path, 'logs'));
  return path;
}

/** A log that a process keeps open, like a child that inherited it, and a function that writes a number of lines to it. */
function openLog(file: string) {
  mkdirSync(dirname(file), { recursive: true });
  const log = openSync(file, 'a', 0o600);
  onTestFinished(() => closeSync(log));
  let lines = 0;
  return (count: number) => {
    for (let end = lines + count; lines < end; lines++) writeSync(log, `line ${lines}\n`);
  };
}

const linesIn = (...files: string[]) =>
  files.flatMap((file) => readFileSync(file, 'utf8').trimEnd().split('\n'));
const upTo = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`);

it('a log that grows while its process runs is truncated, and no line is lost', async () => {
  const file = logFileOf(folder(), 'contacts');
  const write = openLog(file);
  write(100);
  await cutLog(file, 10_000);
  expect(linesIn(file)).toEqual(upTo(100));

  write(1_900);
  const cutting = cutLog(file, 10_000);
  write(100);
  await cutting;
  write(5);
  expect(linesIn(`${file}.1`)).toEqual(upTo(2_100));
  expect(linesIn(`${file}.1`, file)).toEqual(upTo(2_105));
  expect(statSync(file).size).toBeLessThan(100);
  expect(statSync(`${file}.1`).mode & 0o077).toBe(0);

  // A later part replaces the previous one.
  write(2_000);
  await cutLog(file, 10_000);
  expect(linesIn(`${file}.1`)).toEqual(upTo(4_105).slice(2_100));
});

it('the logs of services and of their servers are truncated repeatedly', async () => {
  const data = folder();
  const files = [
    logFileOf(data, 'contacts'),
    join(data, 'nats/server.log'),
    join(data, 'postgres/server.log'),
  ];
  const other = join(data, 'nats/other.log');
  for (const file of files) openLog(file)(50);
  appendFileSync(other, 'x'.repeat(200));
  const notes: string[] = [];
  onTestFinished(limitLogs(data, (note) => notes.push(note), { most: 100, everyMs: 20 }));
  for (const file of files) await expect.poll(() => statSync(file).size).toBe(0);
  for (const file of files) appendFileSync(file, 'y'.repeat(200));
  for (const file of files) await expect.poll(() => statSync(file).size).toBe(0);
  expect(statSync(other).size).toBe(200);
  expect(notes).toEqual([]);
});

it('a log that cannot be truncated is reported once, and does not block others', async () => {
  const data = folder();
  const [bad, good] = ['bad', 'good'].map((name) => logFileOf(data, name));
  for (const file of [bad, good]) openLog(file ?? '')(50);
  mkdirSync(`${bad}.1`);
  const notes: string[] = [];
  onTestFinished(limitLogs(data, (note) => notes.push(note), { most: 100, everyMs: 20 }));
  await expect.poll(() => statSync(good ?? '').size).toBe(0);
  appendFileSync(good ?? '', 'y'.repeat(200));
  await expect.poll(() => statSync(good ?? '').size).toBe(0);
  expect(notes).toEqual([expect.stringContaining('bad.log')]);
});
