import { readFileSync } from 'node:fs';
import { ConfigurationError } from '@crm/service/process';
import { describe, expect, it } from 'vitest';
import { readStartConfig } from './start-config.ts';

describe('the configuration of a start', () => {
  it('has defaults for everything', () => {
    expect(readStartConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://127.0.0.1:3000',
      logLevel: 'info',
      databaseUrl: undefined,
      databaseUrls: {},
      servicesHost: '127.0.0.1',
      natsUrl: undefined,
      rateLimits: { token: 1200, address: 6000 },
    });
    expect(readStartConfig({ RATE_LIMITS: 'off' }).rateLimits).toBeUndefined();
  });

  it('has the defaults that its document lists', () => {
    const document = readFileSync(new URL('../../../docs/operations/configure.md', import.meta.url), 'utf8');
    const rows = document.matchAll(/^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \|.* \| ([^|]*) \|$/gm);
    const listed = [...rows].flatMap(([, names = '', defaults = '']): [string, string][] => {
      const values = defaults.split(', ');
      return [...names.matchAll(/[A-Z_]+/g)].map(([name], index) => [name, values[index] ?? defaults]);
    });
    const simple = listed.filter(([, value]) => /^(\d+(\.\d+)*|on|off|info)$/.test(value));
    expect(simple.map(([name]) => name)).toEqual(expect.arrayContaining(['PORT', 'RATE_LIMIT_TOKEN']));
    expect(readStartConfig(Object.fromEntries(simple))).toEqual(readStartConfig({}));
  });

  it('keeps activity and messages forever unless a number of days is set, at least 60 for messages', () => {
    const daysOf = (env: NodeJS.ProcessEnv) => readStartConfig(env).historyDays;
    expect(daysOf({})).toEqual({ contacts: undefined, scheduling: undefined });
    expect(daysOf({ ACTIVITY_DAYS: '30', MESSAGES_DAYS: '60' })).toEqual({ contacts: 30, scheduling: 60 });
    expect(() => readStartConfig({ MESSAGES_DAYS: '59' })).toThrow('MESSAGES_DAYS is "59", but must be');
  });

  it('treats an empty variable like a missing one', () => {
    expect(readStartConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({
      port: 3000,
      databaseUrl: undefined,
    });
  });

  it('separates the databases of single services from that of the administrator', () => {
    const config = readStartConfig({
      DATABASE_URL: 'postgres://admin:secret@db/crm',
      CONTACTS_DATABASE_URL: 'postgres://contacts:secret@other/crm',
    });
    expect(config.databaseUrl).toBe('postgres://admin:secret@db/crm');
    expect(config.databaseUrls).toEqual({ contacts: 'postgres://contacts:secret@other/crm' });
  });

  it('accepts several hosts of a database if the URL requests the one that accepts writes', () => {
    const databaseUrl = 'postgres://a:b@one:1,two:2/crm?target_session_attrs=read-write';
    expect(readStartConfig({ DATABASE_URL: databaseUrl })).toMatchObject({ databaseUrl });
  });

  it.each([
    ['PORT', 'abc', 'a port number from 1 to 65528'],
    ['PORT', '0', 'a port number from 1 to 65528'],
    ['PORT', '65529', 'a port number from 1 to 65528'],
    ['PORT', '3000.5', 'a port number'],
    ['DATABASE_POOLER_URL', 'postgres://me:secret@pooler:6432', 'a URL without a user'],
    ['HOST', 'not a host', 'an address of this machine'],
    ['TRUSTED_PROXIES', 'proxy.example.com', 'networks such as 10.0.0.0/8'],
    ['TRUSTED_PROXIES', '10.0.0.0/33', 'networks such as 10.0.0.0/8'],
    ['TRUSTED_PROXIES', '10.0.0.1, 10.0.0.2', 'networks such as 10.0.0.0/8'],
    ['PUBLIC_URL', 'crm.example.com', 'such as https://crm.example.com'],
    ['PUBLIC_URL', 'https://crm.example.com/', 'such as https://crm.example.com'],
    ['RATE_LIMIT_TOKEN', '0', 'a whole number from 1 to 1000000'],
    ['RATE_LIMIT_ADDRESS', 'many', 'a whole number from 1 to 1000000'],
    ['RATE_LIMITS', 'no', 'on or off'],
    ['LOCAL_CARRIERS', 'yes', 'on, missing or off'],
    ['RATE_LIMIT_URL', 'http://valkey', 'a URL such as redis://'],
    ['LOG_LEVEL', 'loud', 'fatal, error, warn, info'],
    ['DATABASE_URL', 'mysql://db', 'a URL such as postgres://'],
    ['DATABASE_URL', 'postgres://a:b@one:1,two:2/crm', 'target_session_attrs=read-write'],
    ['IDENTITY_DATABASE_URL', 'db', 'a URL such as postgres://'],
    ['NATS_URL', 'http://nats', 'a URL such as nats://'],
  ])('rejects %s=%s in a sentence that names the variable and its valid values', (name, value, mayBe) => {
    const read = () => readStartConfig({ [name]: value });
    expect(read).toThrow(ConfigurationError);
    expect(read).toThrow(new RegExp(`^${name} .*${mayBe}.*\\.$`));
  });

  it('requires all variables of a provider if one is set', () => {
    const mail = { SMTP_URL: 'smtp://mail', MAIL_FROM: 'crm@example.com' };
    expect(readStartConfig({})).toMatchObject({ mail: undefined, carrier: undefined });
    expect(readStartConfig(mail).mail).toEqual({
      smtpUrl: 'smtp://mail',
      mailFrom: { address: 'crm@example.com' },
    });
    expect(() => readStartConfig({ ...mail, MAIL_FROM: '' })).toThrow(/^MAIL_FROM is not set/);
    expect(() => readStartConfig({ CARRIER_URL: 'https://carrier' })).toThrow(
      /^CARRIER_ACCOUNT_SID .*\nCARRIER_AUTH_TOKEN .*\nCARRIER_NUMBER /,
    );
  });

  it('keeps all messages here with LOCAL_CARRIERS=on, whichever providers are named, and with missing the others', () => {
    const mail = { SMTP_URL: 'smtp://mail', MAIL_FROM: 'crm@example.com' };
    const named = { ...mail, CARRIER_URL: 'https://carrier', BOUNCE_TOKEN: 'of-the-mail-server'.repeat(2) };
    expect(readStartConfig({ ...named, LOCAL_CARRIERS: 'on' })).toMatchObject({
      ...{ mail: undefined, carrier: undefined, bounceToken: undefined, allowsLocalCarriers: true },
      unusedProviders: ['SMTP_URL', 'CARRIER_URL', 'BOUNCE_TOKEN'],
    });
    expect(readStartConfig({ ...mail, LOCAL_CARRIERS: 'missing' })).toMatchObject({
      ...{ mail: { smtpUrl: 'smtp://mail' }, carrier: undefined, allowsLocalCarriers: true },
      unusedProviders: [],
    });
  });

  it('reports every invalid variable on a separate line', () => {
    const read = () => readStartConfig({ PORT: 'x', HOST: '!', LOG_LEVEL: 'y' });
    expect(read).toThrow(/^PORT .*\.\nHOST .*\.\nLOG_LEVEL .*\.$/);
  });

  it('does not show a value that contains a password', () => {
    const read = () => readStartConfig({ DATABASE_URL: 'mysql://admin:hunter2@db' });
    expect(read).not.toThrow(/hunter2/);
    expect(read).toThrow(/DATABASE_URL/);
  });
});
