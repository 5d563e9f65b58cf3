import { isIP } from 'node:net';
import { secretPrefixes } from '@crm/auth/secret-prefixes';
import { z } from 'zod';
import { logLevels } from './log.ts';

/** A variable that must pass a test; `expected` describes valid values. */
function text(expected: string, test: (value: string) => boolean) {
  return z
    .string({ error: `is not set; it must be ${expected}` })
    .refine(test, { error: ({ input }) => `is "${input}", but must be ${expected}` });
}

/** A variable that contains a secret, which errors must not show. */
function secret(expected: string, test: (value: string) => boolean) {
  return z
    .string({ error: `is not set; it must be ${expected}` })
    .refine(test, { error: `must be ${expected}` });
}

export function port(min: number, max: number) {
  return text(
    `a port number from ${min} to ${max}`,
    (value) => /^\d{1,5}$/.test(value) && Number(value) >= min && Number(value) <= max,
  ).transform(Number);
}

function wholeNumber(min: number, max: number, unit = '') {
  return text(
    `a whole number ${unit}from ${min} to ${max}`,
    (value) => /^[1-9]\d*$/.test(value) && Number(value) >= min && Number(value) <= max,
  ).transform(Number);
}

export const count = wholeNumber(1, 1_000_000);

/** The default number of days that the audit log is kept. */
export const auditDays = 400;

export const days = wholeNumber(1, 36_500, 'of days ');

/** A reader can unsubscribe with the link in an e-mail as long as its message is kept; laws require this for up to 60 days. */
const messagesDays = wholeNumber(60, 36_500, 'of days ');

/** How many days services keep what has happened (default: forever). */
export const historyVariables = {
  ACTIVITY_DAYS: days.optional(),
  MESSAGES_DAYS: messagesDays.optional(),
};

const historyVariableOf = { contacts: 'ACTIVITY_DAYS', scheduling: 'MESSAGES_DAYS' } as const;

/** The days of history of each service. */
export const historyDaysIn = (
  read: {
    readonly [Name in keyof typeof historyVariables]?: number | undefined;
  },
): Readonly<Record<string, number | undefined>> =>
  Object.fromEntries(
    Object.entries(historyVariableOf).map(([service, variable]) => [service, read[variable]]),
  );

/** The variables of a service. It has none if it has no history, or keeps it forever. */
export const historyVariablesOf = (
  service: string,
  historyDays: ReturnType<typeof historyDaysIn>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(historyVariableOf).flatMap(([owner, variable]) =>
      owner === service && historyDays[owner] !== undefined ? [[variable, String(historyDays[owner])]] : [],
    ),
  );

export const share = text(
  'a share from 0 to 1, such as 0.1',
  (value) => /^(0|1|[01]?\.\d{1,6})$/.test(value) && Number(value) <= 1,
).transform(Number);

const samplers = ['parentbased_traceidratio', 'parentbased_always_on', 'parentbased_always_off'] as const;
export type Sampler = (typeof samplers)[number];

/** Which traces are recorded, by the names of OpenTelemetry. */
export const sampler = z.enum(samplers, {
  error: ({ input }) => `is "${input}", but must be one of ${samplers.join(', ')}`,
});

/** Must be less than a process may take to stop. */
export const seconds = text(
  'a number of seconds from 0 to 25',
  (value) => /^\d{1,2}(\.\d)?$/.test(value) && Number(value) <= 25,
).transform(Number);

export const onOrOff = text('on or off', (value) => ['on', 'off'].includes(value)).transform(
  (value) => value === 'on',
);

export const host = text(
  'an address of this machine, such as 127.0.0.1 or 0.0.0.0',
  (value) => isIP(value) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(value),
);

export const logLevel = z.enum(logLevels, {
  error: ({ input }) => `is "${input}", but must be one of ${logLevels.join(', ')}`,
});

export const postgresUrl = secret(
  'a URL such as postgres://user:password@host:5432/database, or with several hosts separated by commas and ?target_session_attrs=read-write',
  isPostgresUrl,
);

/** Its clients use their own roles, each of which it has to know. */
export const poolerUrl = secret(
  'a URL without a user such as postgres://pooler:6432, and not that of DATABASE_URL',
  (value) => isPostgresUrl(value) && !/^\w+:\/\/[^/?#]*@/.test(value),
);

/** Only the user of the first server is used, and a password must not be sent unencrypted to one of several. */
export const natsUrl = secret(
  'a URL such as nats://user:password@host:4222, or several separated by commas with the same user, password and scheme',
  (value) => {
    const urls = value.split(',');
    const access = urls.map((url) => /^\w+:\/\/([^/]*@)?/.exec(url)?.[0]);
    return urls.every((url) => hasForm(url, /^(nats|tls):$/)) && new Set(access).size === 1;
  },
);

/** JetStream stores a stream on one server, or on a majority of three or five. */
export const natsReplicas = text('1, 3 or 5', (value) => ['1', '3', '5'].includes(value)).transform(Number);

/** What Redis and Valkey share, with TLS for `rediss:`. */
export const valkeyUrl = secret('a URL such as redis://user:password@host:6379/0', (value) =>
  hasForm(value, /^rediss?:$/),
);

export const httpUrl = text('a URL such as http://127.0.0.1:3000', (value) => hasForm(value, /^https?:$/));

export const origin = text(
  'the scheme, host and port of a URL, such as https://crm.example.com',
  (value) => /^https?:$/.test(URL.parse(value)?.protocol ?? '') && URL.parse(value)?.origin === value,
);

/** The proxies in front of the gateway whose X-Forwarded-For is trusted, by address or network. */
export const networks = text('addresses or networks such as 10.0.0.0/8, separated by commas', (value) =>
  value.split(',').every(isNetwork),
).transform((value) => value.split(','));

function token(prefix: string) {
  const form = new RegExp(`^${prefix}[\\w-]{32,200}$`);
  return secret(`${prefix} and at least 32 letters and digits`, (value) => form.test(value));
}

export const operatorToken = token(secretPrefixes.operatorToken);
export const serviceToken = token(secretPrefixes.serviceToken);

/** A key for signing or deriving. */
export const key = secret('a secret of at least 32 letters, digits, hyphens and underscores', (value) =>
  /^[\w-]{32,200}$/.test(value),
);

function isNetwork(value: string): boolean {
  const [address = '', prefix = '0', ...others] = value.split('/');
  const family = isIP(address);
  if (family === 0 || others.length > 0 || !/^\d{1,3}$/.test(prefix)) return false;
  return Number(prefix) <= (family === 4 ? 32 : 128);
}

/** If there are several hosts, the one that accepts writes is used; PostgreSQL's own programs have to be told to do so. */
function isPostgresUrl(value: string): boolean {
  const [, hosts = ''] = /^\w+:\/\/(?:[^@/?#]*@)?([^@/?#]*)/.exec(value) ?? [];
  const all = hosts.split(',').map((host) => value.replace(hosts, host));
  const isAsked = all.length === 1 || /[?&]target_session_attrs=read-write(&|$)/.test(value);
  return isAsked && all.every((one) => hasForm(one, /^postgres(ql)?:$/));
}

function hasForm(value: string, protocol: RegExp): boolean {
  const url = URL.parse(value);
  return url !== null && protocol.test(url.protocol) && url.hostname !== '';
}
