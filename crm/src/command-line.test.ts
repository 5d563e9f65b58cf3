import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { crm, crmProcess } from '../test/run-crm.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-no-system-'));
const env = { CRM_DATA_DIR: folder };
const unreachable = { ...env, CRM_URL: 'http://127.0.0.1:1', OPERATOR_TOKEN: `crm_op_${'x'.repeat(43)}` };

afterAll(() => rmSync(folder, { recursive: true }));

describe('the crm command', () => {
  it.each([
    [['nosuch'], env, 'Usage'],
    [['users', 'nosuch'], env, 'Usage'],
    [['users', 'create'], env, 'Usage'],
    [['users', 'list', '--nosuch'], env, 'Usage'],
    [['users', 'disable'], env, 'Usage'],
    [['users', 'broker', 'a@example.com', 'perhaps'], env, 'Usage'],
    [['users', 'enable', '1'], env, 'NotRunning'],
    [['users', 'list'], env, 'NotRunning'],
    [['users', 'list'], unreachable, 'NoAnswer'],
    [['dead-letters', 'show', 'first'], env, 'Usage'],
    [['dead-letters', 'list', '--service', 'identity'], env, 'Usage'],
    [['dead-letters', 'list', '--after', '3'], env, 'Usage'],
    [['dead-letters', 'redrive'], env, 'Usage'],
    [['messages', 'list', '--limit', 'all'], env, 'Usage'],
    [['messages', 'list', '--limit', '1001'], env, 'Usage'],
    [['messages', 'list', '--before', 'soon'], env, 'Usage'],
    [['dead-letters', 'list', '--limit', '0'], env, 'Usage'],
    [['audit', '--since', 'soon'], env, 'Usage'],
    [['why', 'lead', 'twelve'], env, 'Usage'],
    [['why', 'published-event', '12'], env, 'Usage'],
    [['audit', '--record', 'contact'], env, 'Usage'],
    [['audit', '--limit', '0'], env, 'Usage'],
    [['outbox', 'republish', '--service', 'nosuch', '--since', '2026-01-01'], env, 'Usage'],
    [['start'], { ...env, PORT: 'abc' }, 'Configuration'],
  ])(
    '%j with --json fails with one object on standard error and nothing on standard output',
    async (words, env, error) => {
      const { code, stdout, stderr } = await crm([...words, '--json'], env);
      expect(code).toBe(error === 'Usage' ? 2 : 1);
      expect(stdout).toBe('');
      expect(stderr).toMatch(/^\{.*\}\n$/);
      expect(JSON.parse(stderr)).toMatchObject({ error, message: expect.stringMatching(/\S/) });
    },
  );

  it('prints errors for people as a sentence', async () => {
    const { code, stdout, stderr } = await crm(['users', 'list'], env);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      `No system is running in ${folder}. Start one with \`npm start\`, or set CRM_URL to the address or CRM_DATA_DIR to the folder of a running one.\n`,
    );
  });

  it('prints its help', async () => {
    const { code, stdout } = await crm(['--help'], env);
    expect(code).toBe(0);
    for (const command of [
      'start',
      'users',
      'tokens',
      'apps',
      'migrate',
      'doctor',
      'messages',
      'audit',
      'why',
      'outbox',
      'dead-letters',
    ]) {
      expect(stdout).toContain(`\n  ${command}`);
    }
  });

  it.each([
    [['user', 'list'], 'Did you mean users?'],
    [['users', 'creat'], 'Did you mean create?'],
    [['users', 'list', '--jsno'], 'Did you mean --json?'],
  ])('suggests the command or option that %j was probably meant to be', async (words, suggestion) => {
    const { code, stderr } = await crm(words, env);
    expect(code).toBe(2);
    expect(stderr).toContain(suggestion);
  });

  it.each([
    [['users', 'create'], '--first-name'],
    [[], 'CRM_URL'],
  ])('prints the help of %j as one JSON object with --json', async (words, part) => {
    const { code, stdout } = await crm([...words, '--help', '--json'], env);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).help).toContain(part);
  });

  it('has the exit codes and the output of a process', async () => {
    const { code, stdout, stderr } = await crmProcess(['users', 'nosuch'], env);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('nosuch')]);
    expect(await crmProcess(['users', '--help'], env)).toMatchObject({ code: 0, stderr: '' });
    expect(await crmProcess(['doctor'], env)).toMatchObject({ code: 1, stderr: '' });
  });

  it('reports as doctor that nothing runs or responds, and fails', async () => {
    const { code, stdout, stderr } = await crm(['doctor', '--json'], env);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      healthy: false,
      findings: expect.arrayContaining([expect.objectContaining({ part: 'System', state: 'problem' })]),
    });
    const away = await crm(['doctor'], unreachable);
    expect(away).toMatchObject({ code: 1, stdout: expect.stringContaining('does not respond') });
  });
});
