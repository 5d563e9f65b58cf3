import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { eachService } from '../system/services.ts';
import { type RunningSystem, writeSystemFile } from '../system/system-file.ts';
import { checkPostalAddress, checkProcess } from './process.ts';

const gateway = 'http://127.0.0.1:3000';
const system: RunningSystem = {
  ...{ pid: process.pid, startedAt: '2026-03-01T09:00:00Z', shape: 'one process', gateway },
  services: eachService(() => 'http://127.0.0.1:3001'),
  databaseUrls: eachService(() => 'postgres://crm:secret@127.0.0.1:5432/crm'),
  natsUrl: 'nats://crm:secret@127.0.0.1:4222',
  versions: { node: '24.0.0' },
};

function folderOf(running: RunningSystem): string {
  const folder = mkdtempSync(join(tmpdir(), 'crm-process-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeSystemFile(folder, running);
  return folder;
}

function findingsOf(running: RunningSystem, at = gateway) {
  const folder = folderOf(running);
  return checkProcess({ gateway: at, services: running.services }, folder);
}

it('a killed process is a problem, and processes of a system elsewhere are not checked', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  expect(findingsOf({ ...system, pid })).toMatchObject([{ part: 'System', state: 'problem' }]);
  expect(findingsOf({ ...system, pid }, 'https://crm.example.com')).toEqual([]);
});

it('servers and the destination of messages are reported without passwords', () => {
  const found = findingsOf(system);
  expect(found).toMatchObject([
    { part: 'System', state: 'ok' },
    { part: 'PostgreSQL', detail: 'configured, at 127.0.0.1:5432' },
    { part: 'NATS', detail: 'configured, at 127.0.0.1:4222' },
    { part: 'Messages', state: 'ok', detail: 'are sent to real recipients' },
  ]);
  expect(JSON.stringify(found)).not.toContain('secret');
  const local = { ...system, sends: [], messages: 'http://127.0.0.1:3010' };
  expect(findingsOf(local).at(-1)?.detail).toBe('stay on this machine; see http://127.0.0.1:3010');
  expect(findingsOf({ ...local, sends: ['e-mails' as const] }).at(-1)?.detail).toBe(
    'e-mails are sent to real recipients, all others stay on this machine; see http://127.0.0.1:3010',
  );
  expect(findingsOf({ ...local, unusedProviders: ['SMTP_URL', 'CARRIER_URL'] }).at(-1)).toEqual({
    part: 'Messages',
    state: 'warning',
    detail: 'stay on this machine; see http://127.0.0.1:3010',
    fix: 'LOCAL_CARRIERS is on and overrides SMTP_URL, CARRIER_URL. Remove it to send messages.',
  });
});

it.each([
  ['here, which sends none', {}, gateway, { MAIL_FROM: 'crm@example.com' }, 0],
  ['here, with an address', { hasPostalAddress: true }, gateway, {}, 0],
  ['here, without one', { hasPostalAddress: false }, gateway, { MAIL_POSTAL_ADDRESS: 'Boston' }, 1],
  ['elsewhere, with a sender alone', {}, 'https://crm.example.com', { MAIL_FROM: 'crm@example.com' }, 1],
  [
    'elsewhere, with both',
    {},
    'https://crm.example.com',
    { MAIL_FROM: 'crm@example.com', MAIL_POSTAL_ADDRESS: 'Boston' },
    0,
  ],
  ['elsewhere, of which nothing is known', { hasPostalAddress: false }, 'https://crm.example.com', {}, 0],
])('e-mails without a postal address are a warning: of a system %s', (_what, mail, at, env, warnings) => {
  const found = checkPostalAddress(
    { gateway: at, services: system.services },
    folderOf({ ...system, ...mail }),
    env,
  );
  expect(found.map(({ state, fix }) => [state, fix?.includes('MAIL_POSTAL_ADDRESS')])).toEqual(
    Array(warnings).fill(['warning', true]),
  );
});
