import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { freshDatabase, reservePorts } from '@crm/testing';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { crm } from '../../test/run-crm.ts';
import { serviceNames } from '../system/services.ts';

const folder = mkdtempSync(join(tmpdir(), 'crm-deployment-'));
afterAll(() => rmSync(folder, { recursive: true }));
const database = await freshDatabase([]);
afterAll(database.drop);

const local = { LOCAL_CARRIERS: 'missing' };
const env = { CRM_DATA_DIR: folder, DATABASE_URL: database.adminUrl, NATS_URL: 'nats://nats:4222', ...local };
const read = (name: string) => readFile(join(folder, name), 'utf8');
const variablesOf = async (name: string) => parseEnv(await read(`${name}/environment`));
const run = async (command: string, more: Record<string, string> = {}) =>
  crm(['deployment', command], { ...env, ...more });

describe('a deployment', () => {
  it('generates its secrets once', async () => {
    expect((await run('secrets')).code).toBe(0);
    const files = ['postgres/password', 'nats/route-password', 'operator-token'];
    const made = await Promise.all(files.map(read));
    expect(new Set(made).size).toBe(3);
    for (const secret of made) expect(secret.trim().length).toBeGreaterThan(40);
    expect((await run('secrets')).code).toBe(0);
    expect(await Promise.all(files.map(read))).toEqual(made);
  });

  it('keeps the database password that an earlier release created', async () => {
    const earlier = mkdtempSync(join(tmpdir(), 'crm-deployment-'));
    writeFileSync(join(earlier, 'postgres-password'), 'of the earlier release\n');
    expect((await crm(['deployment', 'secrets'], { CRM_DATA_DIR: earlier })).code).toBe(0);
    expect(await readFile(join(earlier, 'postgres', 'password'), 'utf8')).toBe('of the earlier release\n');
    rmSync(earlier, { recursive: true });
  });

  it('gives each process its own database and only the secrets that it needs', async () => {
    const { code, stderr } = await run('prepare', { PUBLIC_URL: 'https://crm.example.com' });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const token = (await read('operator-token')).trim();
    const knowing = [];
    for (const name of [...serviceNames, 'gateway', 'carriers', 'operator']) {
      if ((await read(`${name}/environment`)).includes(token)) knowing.push(name);
      expect((await stat(join(folder, name, 'environment'))).mode & 0o077, name).toBe(0);
    }
    expect(knowing).toEqual(['identity', 'operator']);
    const urls = await Promise.all(serviceNames.map(async (name) => (await variablesOf(name)).DATABASE_URL));
    expect(new Set(urls).size).toBe(serviceNames.length);
    for (const url of urls) expect(url).not.toBe(database.adminUrl);
    expect(await variablesOf('scheduling')).toMatchObject({
      NATS_URL: expect.stringMatching(/^nats:\/\/scheduling:[\w-]{43}@nats:4222$/),
      CONTACTS_URL: 'http://contacts:3000',
      SMTP_URL: expect.stringMatching(/^smtp:\/\/crm:[\w-]{43}@carriers:1025\?requireTLS=false$/),
      PUBLIC_URL: 'https://crm.example.com',
    });
    expect((await variablesOf('identity')).SERVICE_TOKEN).toBeUndefined();
    const { SERVICE_TOKEN: ofGateway } = await variablesOf('gateway');
    expect((await variablesOf('identity')).GATEWAY_SERVICE_TOKEN).toBe(ofGateway);
    const { SERVICE_TOKEN: own, ...others } = await variablesOf('scheduling');
    expect((await variablesOf('identity')).SCHEDULING_SERVICE_TOKEN).toBe(own);
    expect(Object.keys(others).filter((variable) => /_TOKEN$|_KEY$/.test(variable))).toEqual([
      'CARRIER_AUTH_TOKEN',
    ]);
    const users = await run('secrets').then(() => read('nats/users.conf'));
    for (const name of serviceNames)
      expect(users).toContain(new URL((await variablesOf(name)).NATS_URL ?? '').password);
  });

  it('lets the crm command reach the databases of all services', async () => {
    expect((await run('prepare')).code).toBe(0);
    const elsewhere = mkdtempSync(join(tmpdir(), 'crm-deployment-'));
    const { stdout } = await crm(['migrate'], {
      ...(await variablesOf('operator')),
      CRM_DATA_DIR: elsewhere,
    });
    rmSync(elsewhere, { recursive: true });
    for (const name of serviceNames) expect(stdout).toContain(`${name}: up to date`);
  });

  it('sends through the configured providers, whatever quotes their names contain', async () => {
    const mail = {
      SMTP_URL: 'smtps://u:p@mail.example.com',
      MAIL_FROM: `"O'Brien Homes" <a@example.com>`,
      MAIL_POSTAL_ADDRESS: "Smith's Yard 1, Boston, MA 02110",
      BOUNCE_TOKEN: 'a-secret-of-the-mail-server',
    };
    expect((await run('prepare', mail)).code).toBe(0);
    expect(await variablesOf('leads-routing')).toMatchObject(mail);
    expect(await readdir(folder)).toContain('leads-routing');
    const { MAIL_POSTAL_ADDRESS } = mail;
    const operator = await variablesOf('operator');
    expect(operator).toMatchObject({ MAIL_FROM: 'a@example.com', MAIL_POSTAL_ADDRESS });
    expect(operator).not.toHaveProperty('SMTP_URL');
    const { stdout } = await run('kubernetes', mail);
    const knowing = stdout.split('\n').filter((line) => line.includes(MAIL_POSTAL_ADDRESS));
    expect(knowing.map((line) => JSON.parse(line).metadata.name)).toEqual([
      'crm-scheduling',
      'crm-leads-routing',
      'crm-operator',
    ]);
  });

  it('tells only the gateway where requests are counted', async () => {
    const own = { RATE_LIMIT_URL: 'rediss://crm:secret@valkey:6379/0' };
    const limited = { RATE_LIMITS: 'on', ...own };
    expect((await run('prepare', limited)).code).toBe(0);
    expect(await variablesOf('gateway')).toMatchObject(own);
    for (const name of serviceNames) expect(await variablesOf(name)).not.toHaveProperty('RATE_LIMIT_URL');
    const { stdout } = await run('kubernetes', limited);
    const knowing = stdout.split('\n').filter((line) => line.includes('crm:secret@'));
    expect(knowing.map((line) => JSON.parse(line).metadata.name)).toEqual(['crm-gateway']);
  });

  it('gives a carrier to identity only if one is configured, because phone numbers are confirmed only then', async () => {
    const carrier = {
      CARRIER_URL: 'https://carrier.example.com',
      CARRIER_ACCOUNT_SID: 'AC1',
      CARRIER_AUTH_TOKEN: 'a-secret-of-the-carrier',
      CARRIER_NUMBER: '+16045550100',
    };
    expect((await run('prepare', carrier)).code).toBe(0);
    expect(await variablesOf('identity')).toMatchObject(carrier);
    expect((await run('prepare')).code).toBe(0);
    expect(await variablesOf('identity')).not.toHaveProperty('CARRIER_URL');
    expect(await variablesOf('leads-routing')).toMatchObject({ CARRIER_URL: 'http://carriers:3000' });
  });

  it("prints a Secret for each process of the Kubernetes chart, which together with the chart's settings has everything that the process reads", async () => {
    const { code, stdout } = await run('kubernetes');
    expect(code).toBe(0);
    const secrets = new Map<string, Record<string, string>>();
    for (const line of stdout.split('\n').filter((one) => one.startsWith('{'))) {
      const { metadata, stringData } = JSON.parse(line);
      secrets.set(metadata.name, stringData);
    }
    const chart = new URL('../../../deploy/kubernetes/rendered/everything.yaml', import.meta.url);
    const manifests = await readFile(chart, 'utf8');
    const expected = [...manifests.matchAll(/^kind: ExternalSecret\nmetadata:\n {2}name: (\S+)$/gm)];
    expect([...secrets.keys()].sort()).toEqual(expected.map(([, name]) => name).sort());
    expect((await run('prepare', { PUBLIC_URL: 'https://crm.example.com' })).code).toBe(0);
    for (const name of [...serviceNames, 'gateway']) {
      const { DATABASE_URL, NATS_URL, ...own } = secrets.get(`crm-${name}`) ?? {};
      const variables = await variablesOf(name);
      expect(variables).toMatchObject(own);
      // The rest are addresses, which the chart knows, and settings that are not secret.
      const others = Object.keys(variables).filter(
        (variable) => !(variable in own) && !/^(DATABASE|NATS)_URL$/.test(variable),
      );
      for (const variable of others.filter((one) => /_URL$/.test(one)))
        expect(manifests).toContain(`  ${variable}: `);
      expect(others.filter((one) => /TOKEN$|_KEY$|PASSWORD/.test(one) && !/^RATE_/.test(one))).toEqual([]);
      if (DATABASE_URL)
        expect(DATABASE_URL).toMatch(/-rw:5432\/crm\?sslmode=verify-full&sslrootcert=\/run\/authorities\//);
      if (NATS_URL) expect(NATS_URL).toMatch(/^nats:\/\/[\w-]+:[\w-]{43}@nats:4222$/);
    }
  });

  it('with a public address refuses carriers that reach nobody', async () => {
    const address = { PUBLIC_URL: 'https://crm.example.com', LOCAL_CARRIERS: 'off' };
    const { code, stderr } = await run('prepare', address);
    expect(code).toBe(1);
    expect(stderr).toMatch(/SMTP_URL is not set: .*\n.*CARRIER_URL is not set: /);
  });

  it('is refused with keys that do not belong to the database, and so are a start and a backup', async () => {
    expect((await run('prepare')).code).toBe(0);
    const other = { CRM_DATA_DIR: mkdtempSync(join(tmpdir(), 'crm-deployment-')) };
    onTestFinished(() => rmSync(other.CRM_DATA_DIR, { recursive: true }));
    const refused = { code: 1, stderr: expect.stringContaining('do not belong to this database') };
    expect(await run('prepare', other)).toMatchObject(refused);
    const { ports, free } = await reservePorts();
    onTestFinished(free);
    const { NATS_URL: _, ...elsewhere } = { ...env, ...other, PORT: String(ports[0]) };
    expect(await crm(['start', '--no-demo'], elsewhere)).toMatchObject(refused);
    expect(await crm(['backup', join(other.CRM_DATA_DIR, 'backup')], elsewhere)).toMatchObject(refused);
    expect((await run('prepare')).code).toBe(0);
  });

  it('reports a missing password of the database', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'crm-deployment-'));
    const { code, stderr } = await crm(['deployment', 'prepare'], { CRM_DATA_DIR: empty });
    rmSync(empty, { recursive: true });
    expect(code).toBe(1);
    expect(stderr).toContain('postgres/password');
  });
});
