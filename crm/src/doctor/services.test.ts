import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { checkGateway, checkService } from './services.ts';

/** The URL of a server that is not part of the system. */
const strangerThatAnswers = (status: number, body: string) => serverThat(() => [status, body]);

/** The URL of a server with the given responses by path. */
async function serverThat(answers: (path: string) => readonly [number, string]): Promise<string> {
  const server = createServer((request, response) => {
    const [status, body] = answers(request.url ?? '');
    response.writeHead(status).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it.each([
  [429, '{"name":"TooManyRequests"}'],
  [200, '<html></html>'],
  [502, ''],
])(
  'a gateway that responds with %i without its status is reported as a problem, not as an error of the command',
  async (status, body) => {
    const gateway = await strangerThatAnswers(status, body);
    expect(await checkGateway({ gateway, services: {} as never })).toEqual({
      part: 'Gateway',
      state: 'problem',
      detail: `${gateway}/status responded with ${status} but without the status of the services`,
      fix: expect.stringContaining('CRM_URL'),
    });
  },
);

it.each(['<html></html>', '{"version":"1"}'])(
  'a service that responds with %s is a problem too',
  async (body) => {
    const url = await strangerThatAnswers(200, body);
    expect(await checkService('contacts', url, 'token')).toEqual([
      {
        part: 'contacts',
        state: 'problem',
        detail: `${url} responded without its status`,
        fix: expect.stringContaining('CONTACTS_URL'),
      },
    ]);
  },
);

it('a gateway that does not reach a service is a problem', async () => {
  const body = JSON.stringify({ services: { contacts: 'ok', scheduling: 'unavailable' } });
  const gateway = await strangerThatAnswers(503, body);
  expect(await checkGateway({ gateway, services: {} as never })).toMatchObject({
    state: 'problem',
    detail: `${gateway} cannot reach scheduling`,
  });
});

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

const well = {
  version: '1',
  database: { version: '18', acceptsWrites: true, locale: 'C.UTF-8' },
  migrations: { applied: 3, missing: [] },
  broker: { connected: true },
  clock: { aheadMs: 0 },
  outbox: { waiting: 0, oldestSeconds: 0, lostAt: null },
  deadLetters: 0,
  problems: [],
  blockers: [],
  endingIds: [],
};

const blocker = { pid: 12345, user: 'anna', application: 'psql', waiting: 10, isWaiting: false };

const findingsOf = async (status: object) => {
  const body = JSON.stringify({ ...well, ...status });
  return checkService('contacts', await strangerThatAnswers(200, body), 'token');
};

it('a healthy service has only good findings', async () => {
  for (const status of [{}, { outbox: { waiting: 9, oldestSeconds: 29, lostAt: daysAgo(8) } }])
    expect((await findingsOf(status)).filter(({ state }) => state !== 'ok')).toEqual([]);
});

it.each([
  [
    'a migration is missing',
    { migrations: { applied: 3, missing: ['0004-x'] } },
    'problem',
    '0004-x not applied',
  ],
  [
    'its database is read-only',
    { database: { ...well.database, acceptsWrites: false } },
    'problem',
    'accepts no writes',
  ],
  [
    'texts are not in the order of their code points',
    { database: { ...well.database, locale: 'en_US.utf8' } },
    'warning',
    'en_US.utf8',
  ],
  ['NATS is away', { broker: { connected: false } }, 'problem', 'not connected'],
  ['events wait', { outbox: { ...well.outbox, waiting: 2, oldestSeconds: 31 } }, 'warning', '2 events wait'],
  ['events died', { deadLetters: 3 }, 'warning', 'could not be handled: 3'],
  [
    'NATS lost events within a week',
    { outbox: { ...well.outbox, lostAt: daysAgo(6) } },
    'warning',
    'lost events',
  ],
  [
    'a session blocks others',
    { blockers: [blocker] },
    'problem',
    'session 12345 of anna (psql) blocks connections of the service: 10',
  ],
  [
    'numbers of records end',
    { endingIds: [{ sequence: 'tasks_id_seq', usedPercent: 81 }] },
    'warning',
    '81 % of the ids of tasks_id_seq are used',
  ],
  [
    'work is put off',
    { problems: [{ what: 'texts', count: 4, reason: 'Away.' }] },
    'warning',
    '4 postponed: Away.',
  ],
])('if %s, that is the only finding that is not good', async (_, status, state, words) => {
  const found = (await findingsOf(status)).filter((one) => one.state !== 'ok');
  expect(found).toEqual([expect.objectContaining({ state, detail: expect.stringContaining(words) })]);
});

it.each([
  [503, '{"reason":"The clock is ahead."}', 200, 'is not ready: The clock is ahead.', 'NTP'],
  [503, '{}', 200, 'is not ready', 'database does not respond'],
  [200, '{}', 503, 'does not return its status (503)', 'its log'],
  [200, '{}', 401, 'does not accept the operator token (401)', 'OPERATOR_TOKEN'],
])(
  'a service that responds with %i %s, and with %i to its operator, is a problem',
  async (ready, body, status, detail, fix) => {
    const url = await serverThat((path) =>
      path === '/readyz' ? [ready, body] : [status, JSON.stringify(well)],
    );
    expect(await checkService('contacts', url, 'token')).toEqual([
      { part: 'contacts', state: 'problem', detail: `${url} ${detail}`, fix: expect.stringContaining(fix) },
    ]);
  },
);

it('sessions that block others are reported with the statements that inspect and end them, even without a status', async () => {
  const blockers = [{ ...blocker, isWaiting: true }];
  const url = await serverThat((path) => [path === '/readyz' ? 200 : 503, JSON.stringify({ blockers })]);
  const [unknown, waits] = await checkService('contacts', url, 'token');
  expect(unknown).toMatchObject({ state: 'problem', detail: expect.stringContaining('(503)') });
  expect(waits).toEqual({
    part: 'contacts database',
    state: 'problem',
    detail: 'session 12345 of anna (psql) blocks connections of the service: 10; another session blocks it',
    fix: 'Look at it with `select * from pg_stat_activity where pid = 12345`, and end it with `select pg_terminate_backend(12345)`, as an administrator of the database.',
  });
});
