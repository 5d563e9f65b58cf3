import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { published, seriesIn } from '@crm/telemetry/testing';
import { isInShape } from '@crm/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseOf } from '../test/database-of.ts';
import { eventsAbout } from '../test/events-about.ts';
import { metricsOf } from '../test/metrics.ts';
import { addContact, first, get } from '../test/requests.ts';
import { crm, crmJson } from '../test/run-crm.ts';
import { newTestSystem, responds, type StartedSystem } from '../test/test-system.ts';
import { until } from '../test/until.ts';
import { serviceNames } from './system/services.ts';

const forms = [
  { shape: 'one process', words: [] },
  { shape: 'processes', words: ['--processes'] },
];

/** Each run tests one of the two; `TEST_SHAPES=both` tests both. */
const tested = forms.filter((_, index) => isInShape(0, index));

describe.each(tested)('the system as $shape', ({ shape, words }) => {
  let setup: Awaited<ReturnType<typeof newTestSystem>>;
  let system: StartedSystem;

  beforeAll(async () => {
    setup = await newTestSystem();
    system = await setup.start(...words);
  });
  afterAll(() => setup.close());

  const restart = async () => {
    system = await setup.start(...words);
  };

  const ownContacts = async (token: string) => {
    const { id } = (await get(system, token, '/me')) as unknown as { id: number };
    return get(system, token, `/contacts?owner_user_id=${id}`);
  };

  it('has a broker and four agents with ten contacts each', async () => {
    expect(system.people.map(({ role }) => role)).toEqual(['broker', 'agent', 'agent', 'agent', 'agent']);
    for (const { token, role } of system.people) {
      expect(await ownContacts(token)).toMatchObject({ total: 10 });
      // Everybody in the office is in one team that shares contacts.
      expect(await get(system, token, '/contacts')).toMatchObject({ total: 50 });
      // Agents use the broker's hotnesses as well as their own.
      expect(await get(system, token, '/hotnesses')).toMatchObject({ total: role === 'broker' ? 4 : 8 });
      expect(await get(system, token, '/contact-sources')).toMatchObject({ total: 6 });
    }
  });

  it('lets only the owner of the folder read its secrets', () => {
    for (const name of ['system.json', 'demo.json', 'operator-token', 'logs/contacts.log']) {
      expect({ name, mode: statSync(join(setup.folder, name)).mode & 0o077 }).toEqual({ name, mode: 0 });
    }
  });

  it('is healthy according to doctor', async () => {
    const { code, stdout } = await crm(['doctor', '--json'], setup.env);
    const { healthy, findings } = JSON.parse(stdout);
    expect(findings.filter(({ state }: { state: string }) => state !== 'ok')).toEqual([]);
    expect({ code, healthy }).toEqual({ code: 0, healthy: true });
    expect((await crm(['messages', 'list'], setup.env)).stdout).toContain('no texts');
  });

  it('serves metrics of events and of waiting work', async () => {
    const found = seriesIn(await metricsOf(setup.env, words));
    // The others count what has not happened.
    for (const { series, kind } of published.filter(({ kind }) => kind !== 'counter'))
      for (const name of series) expect([...found.keys()], kind).toContain(name);
  });

  it('can be migrated while it runs', async () => {
    const { code, stdout } = await crm(['migrate', '--json'], setup.env);
    const nothing = Object.fromEntries(serviceNames.map((name) => [name, []]));
    expect({ code, ...JSON.parse(stdout) }).toEqual({ code: 0, applied: nothing });
  });

  it("publishes events again on its operator's request", async () => {
    const rows = databaseOf(setup.folder);
    const since = '2026-01-01T00:00:00.000Z';
    const given = ['outbox', 'republish', '--service', 'contacts', '--since', since, '--json'];
    const { code, stdout } = await crm(given, setup.env);
    const { events, ...output } = JSON.parse(stdout);
    expect({ code, output }).toEqual({ code: 0, output: { service: 'contacts', since } });
    expect(events).toBeGreaterThan(0);
    const waiting = `select from outbox where published_at is null
      union all select from published_streams where republish_from is not null`;
    await until(async () => expect(await rows('contacts', waiting)).toEqual([]));
  });

  it('shows its operator the dead letters of all services, oldest first, and changes only those that are named', async () => {
    const rows = databaseOf(setup.folder);
    const letters = (...given: string[]) => crmJson(['dead-letters', ...given], setup.env);
    const add = async (service: string, hours: number) => {
      const [{ id } = {}] = await rows(
        service,
        `insert into dead_letters (subject, headers, data, reason, failures, stream, seq, sent_at, died_at)
         values ('crm.contacts.contact.removed', '{}', $1, E'Broken.\\u001b[2J', 6, 'CRM_CONTACTS', 1, now(), now() - $2 * interval '1 hour')
         returning id`,
        [Buffer.from('poison\u001b[2J'), hours],
      );
      return `${service}/${id}`;
    };
    const oldest = await add('leads-routing', 3);
    const newest = await add('leads-routing', 1);
    const between = await add('scheduling', 2);
    const listed = async (...given: string[]) =>
      (await letters('list', ...given)).output.data.map(({ letter }: { letter: string }) => letter);
    expect(await listed()).toEqual([oldest, between, newest]);
    expect(await listed('--limit', '2')).toEqual([oldest, between]);
    const number = String(oldest.split('/')[1]);
    expect(await listed('--service', 'leads-routing', '--after', number)).toEqual([newest]);
    expect((await letters('show', oldest)).output.data).toBe('poison\u001b[2J');
    for (const words of [['show', oldest], ['list'], ['redrive', oldest]])
      expect((await crm(['dead-letters', ...words], setup.env)).stdout).not.toContain('\u001b');
    const redriven = async (...given: string[]) =>
      (await letters('redrive', ...given)).output.data.map(({ letter }: { letter: string }) => letter);
    expect(await redriven('--all', '--service', 'scheduling')).toEqual([between]);
    expect(await redriven(newest, between)).toEqual([newest, between]);
    expect(await letters('discard', oldest, between, newest)).toMatchObject({ code: 0 });
    for (const command of ['show', 'redrive', 'discard'])
      expect(await letters(command, oldest)).toMatchObject({
        code: 1,
        output: { error: 'NotFound', message: `Dead letter ${oldest} does not exist.` },
      });
  });

  it('shows its operator the last twenty requests that changed a record, in order', async () => {
    const { id } = (await (await addContact(system, 'changed@example.com')).json()) as { id: number };
    const requests = Array.from({ length: 21 }, (_, index) => `change-${index}`);
    for (const request of requests) {
      const { status } = await fetch(`${system.gateway}/contacts/${id}`, {
        method: 'PATCH',
        headers: {
          authorization: `Bearer ${first(system).token}`,
          'content-type': 'application/json',
          'x-request-id': request,
        },
        body: JSON.stringify({ first_name: request }),
      });
      expect(status).toBe(200);
    }
    expect((await addContact(system, 'other@example.com')).status).toBe(201);
    const { output } = await crmJson(['why', 'contact', String(id)], setup.env);
    const told = output.requests.map(({ request_id }: { request_id: string }) => request_id);
    expect(told).toEqual(requests.slice(1));
    const later = await crm(['why', 'contact', String(id), '--since', '2999-01-01'], setup.env);
    expect(later).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Nothing is known about contact'),
    });
  });

  it('does not let a second system start in its data folder or on its ports', async () => {
    const second = await crm(['start', '--json'], { ...setup.env, PORT: '9000' });
    expect(JSON.parse(second.stderr)).toMatchObject({
      error: 'AlreadyRunning',
      message: expect.stringMatching(`process ${system.pid}.*CRM_DATA_DIR`),
    });
    const samePorts = await crm(['start', '--json'], { ...setup.env, CRM_DATA_DIR: `${setup.folder}/other` });
    expect(JSON.parse(samePorts.stderr)).toMatchObject({
      error: 'PortTaken',
      message: expect.stringMatching(/Set PORT/),
    });
    expect([second.code, samePorts.code]).toEqual([1, 1]);
  });

  it('stops on SIGINT, and has all its data after a restart', async () => {
    const before = await get(system, first(system).token, '/contacts');
    expect(await system.end('SIGINT')).toBe(0);
    expect(existsSync(join(setup.folder, 'system.json'))).toBe(false);
    for (const url of [system.gateway, ...Object.values(system.services)])
      expect(await responds(url)).toBe(false);
    const { people } = system;
    await restart();
    expect(system.people).toEqual(people);
    expect(await get(system, first(system).token, '/contacts')).toEqual(before);
  });

  it('loses nothing and does nothing twice when it is killed right after a response', async () => {
    const email = `killed-${shape.replace(' ', '-')}@example.com`;
    const words = ['users', 'create', '--email', email, '--password', 'long enough', '--json'];
    expect(await crm(words, setup.env)).toMatchObject({ code: 0 });
    const response = await addContact(system, email);
    expect(response.status).toBe(201);
    const { id } = (await response.json()) as { id: number };
    await system.end('SIGKILL');
    await restart();
    expect(await get(system, first(system).token, `/contacts?email=${email}`)).toMatchObject({
      data: [{ id }],
    });
    const token = await crm(['tokens', 'create', '--user', email, '--json'], setup.env);
    const { access_token } = JSON.parse(token.stdout);
    await until(async () =>
      expect(await get(system, access_token, '/contact-sources')).toMatchObject({ total: 6 }),
    );
    await until(async () =>
      expect(await eventsAbout(setup.folder, 'contacts', `contact/${id}`)).toHaveLength(1),
    );
    const { stdout } = await crm(['doctor', '--json'], setup.env);
    expect(JSON.parse(stdout)).toMatchObject({ healthy: true });
    expect(await get(system, access_token, '/contact-sources')).toMatchObject({ total: 6 });
  });

  it('resumes an interrupted seeding of the demo, and creates nothing twice', async () => {
    await system.end();
    const file = join(setup.folder, 'demo.json');
    const demo = JSON.parse(readFileSync(file, 'utf8'));
    const [broker, agent] = demo.people;
    agent.token = '';
    writeFileSync(file, JSON.stringify({ ...demo, complete: false }));
    await restart();
    expect(await get(system, broker.token, '/hotnesses')).toMatchObject({ total: 4 });
    const { token } = system.people.find(({ email }) => email === agent.email) ?? expect.fail();
    expect(await ownContacts(token)).toMatchObject({ total: 10 });
    expect(await get(system, broker.token, '/teams')).toMatchObject({ total: 1 });
    expect(await get(system, broker.token, '/sub-accounts')).toMatchObject({ total: 4 });
  });

  it('restarts without a demo user whose account is disabled', async () => {
    const { email } = system.people.at(-1) ?? expect.fail();
    const others = system.people.slice(0, -1);
    expect(await crm(['users', 'disable', email], setup.env)).toMatchObject({ code: 0, stderr: '' });
    await system.end();
    await restart();
    expect(system.people).toEqual(others);
  });
});
