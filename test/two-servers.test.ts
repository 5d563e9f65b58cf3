import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@crm/client';
import { type Urls, verifySystem } from '@crm/crm/verify';
import { provisionRole } from '@crm/data';
import { startCarriers } from '@crm/delivery/testing';
import { startPostgres } from '@crm/embedded';
import { identityApi } from '@crm/identity/api';
import { connectBroker, operatorUser } from '@crm/messaging';
import { freshDatabase, reservePort, startPgbouncer } from '@crm/testing';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, expect, it } from 'vitest';
import { agencyIn } from './system/agency.ts';
import { answerChecker } from './system/answer-checker.ts';
import { apiAt } from './system/api.ts';
import { definitionsFor } from './system/definitions.ts';
import { made } from './system/made.ts';
import { newSecrets } from './system/settings.ts';
import { ownBroker } from './system/shared.ts';
import { startTogether } from './system/together.ts';
import type { Person } from './system.ts';

const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());

/** A database of its own for each service, every other one on a second server. */
async function databasesOf(schemas: readonly string[]) {
  const dataDir = await mkdtemp(join(tmpdir(), 'crm-two-servers-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const second = await startPostgres({ dataDir, port: await reservePort(), settings: { fsync: 'off' } });
  cleanup.defer(() => second.stop());
  const client = new pg.Client({ connectionString: second.url });
  await client.connect();
  const urls: Record<string, string> = {};
  for (const [index, schema] of schemas.entries()) {
    if (index % 2 === 0) {
      const first = await freshDatabase([]);
      cleanup.defer(first.drop);
      urls[schema] = await provisionRole(first.adminUrl, schema);
    } else {
      await client.query(`create database ${schema}`);
      urls[schema] = await provisionRole(new URL(`/${schema}`, second.url).href, schema);
    }
  }
  await client.end();
  return urls;
}

async function startOnTwoServers() {
  const port = await reservePort();
  const carriers = await startCarriers(`http://127.0.0.1:${port}`);
  cleanup.defer(carriers.close);
  const settings = { ...newSecrets(), delivery: carriers.delivery };
  const definitions = definitionsFor(settings);
  const urls = await databasesOf(definitions.map(({ store }) => store.schema));
  const pgbouncer = await startPgbouncer(Object.values(urls));
  cleanup.defer(async () => pgbouncer?.stop());
  const natsUrls = await ownBroker(definitions, cleanup);
  const database = { adminUrl: '', urls, drop: async () => undefined };
  const running = await startTogether({
    definitions,
    database,
    poolerUrl: pgbouncer?.url,
    natsUrls,
    settings,
    port,
    cleanup,
  });
  const { as, close } = apiAt(running.url, await answerChecker(running.url));
  cleanup.defer(close);
  const operator = createClient(identityApi, {
    url: running.services.identity ?? '',
    token: settings.operatorToken,
  });
  const person = async () => {
    const email = `${randomUUID()}@example.com`;
    const names = { first_name: 'Ada', last_name: 'Byron', timezone: 'America/Los_Angeles' };
    const { id } = await operator.users.create({ ...names, email });
    const { access_token } = await operator.tokens.create({ user: id, scope: 'write' });
    const api = as(access_token);
    // Each default source has gone from contacts on one server to leads-routing on the other.
    await expect.poll(async () => (await api.list('/lead-sources')).total).toBeGreaterThan(0);
    return { id, email, token: access_token, api } as Person;
  };
  const byName = definitions.map(({ name, store }) => [name, urls[store.schema]]);
  return { carriers, natsUrls, urls: Object.fromEntries(byName) as Urls, system: { operator, person } };
}

it('carries a lead to the agent who claims it, with a database for each service on two servers, behind PgBouncer if it is installed', async () => {
  const { system, carriers, urls, natsUrls } = await startOnTwoServers();
  expect(new Set(Object.values(urls).map((url) => new URL(url).port)).size).toBe(2);
  expect(new Set(Object.values(urls)).size).toBe(5);

  const agency = agencyIn(system);
  const { anna, ben, contact_id, source_id } = await agency();
  const lead = await made(anna, '/leads', { contact_id, source_id, text_body: 'Is it free?' });
  await anna.api.post(`/leads/${lead.id}/offers`, {});
  const alerts = async () =>
    (await carriers.mail.mails()).filter(({ to }) => to.some((address) => address.includes(ben.email)));
  await expect.poll(async () => (await alerts()).length).toBe(1);
  expect((await ben.api.post(`/leads/${lead.id}/claim`, {})).status).toBe(200);
  expect((await ben.api.get(`/contacts/${contact_id}`)).body).toMatchObject({ assigned_user_id: ben.id });
  // Merged from the audit logs of all services.
  expect((await anna.api.list(`/audit-events?record_type=lead`)).total).toBeGreaterThan(0);

  const broker = connectBroker({
    url: natsUrls[operatorUser] ?? '',
    name: 'test',
    log: pino({ level: 'silent' }),
  });
  await broker.ready(60_000);
  const found = await verifySystem({ urls, broker, repair: false });
  await broker.close();
  expect(found).toEqual([]);
});
