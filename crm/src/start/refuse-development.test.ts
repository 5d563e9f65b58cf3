import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { crm } from '../../test/run-crm.ts';
import { refuseDevelopmentDefaults, refuseLocalCarriers } from './refuse-development.ts';
import { readStartConfig } from './start-config.ts';

const mail = { SMTP_URL: 'smtps://mail.example.com', MAIL_FROM: 'crm@example.com' };
const carrier = {
  CARRIER_URL: 'https://carrier.example.com',
  CARRIER_ACCOUNT_SID: 'AC1',
  CARRIER_AUTH_TOKEN: 'a-secret-of-the-carrier',
  CARRIER_NUMBER: '+16045550100',
};
const address = { PUBLIC_URL: 'https://crm.example.com' };

/** The first words of the sentences with which a start is refused. */
const refused = (env: NodeJS.ProcessEnv, by = refuseDevelopmentDefaults) => {
  try {
    by(readStartConfig(env));
    return [];
  } catch (error) {
    return String((error as Error).message)
      .split('\n')
      .map((sentence) => {
        expect(sentence).toMatch(/^\w+ is not set: .+ would .+\. Set .+\.$/);
        return sentence.split(' ')[0];
      });
  }
};

describe('a start', () => {
  it.each([{}, { HOST: 'localhost' }, { PUBLIC_URL: 'http://localhost:3000' }, { NODE_ENV: 'test' }])(
    'for this machine alone has defaults for everything: %j',
    (env) => {
      expect(refused(env)).toEqual([]);
    },
  );

  it.each([
    [{ NODE_ENV: 'production' }, ['PUBLIC_URL', 'SMTP_URL', 'CARRIER_URL']],
    [{ HOST: '0.0.0.0' }, ['PUBLIC_URL', 'SMTP_URL', 'CARRIER_URL']],
    [address, ['SMTP_URL', 'CARRIER_URL']],
    [{ ...address, ...mail }, ['CARRIER_URL']],
    [{ ...address, ...carrier }, ['SMTP_URL']],
    [{ HOST: '10.0.0.5', LOCAL_CARRIERS: 'on' }, ['PUBLIC_URL']],
  ])('for others is refused with a sentence for each development default: %j', (env, names) => {
    expect(refused(env)).toEqual(names);
  });

  it('for others needs only these settings', () => {
    expect(refused({ NODE_ENV: 'production', HOST: '0.0.0.0', ...address, ...mail, ...carrier })).toEqual([]);
    expect(refused({ ...address, LOCAL_CARRIERS: 'on' })).toEqual([]);
  });
});

it('prints these sentences as a command, and starts nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'crm-refused-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { code, stdout, stderr } = await crm(['start'], { CRM_DATA_DIR: folder, NODE_ENV: 'production' });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr.match(/^\w+(?= is not set: )/gm)).toEqual(['PUBLIC_URL', 'SMTP_URL', 'CARRIER_URL']);
  expect(readdirSync(folder)).toEqual([]);
});

it('containers refuse local carriers only for a public address', () => {
  const inContainer = { NODE_ENV: 'production', HOST: '0.0.0.0' };
  expect(refused(inContainer, refuseLocalCarriers)).toEqual([]);
  expect(refused({ ...inContainer, ...address }, refuseLocalCarriers)).toEqual(['SMTP_URL', 'CARRIER_URL']);
  expect(refused({ ...inContainer, ...address, LOCAL_CARRIERS: 'on' }, refuseLocalCarriers)).toEqual([]);
});
