import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@crm/client';
import { migrate, provisionRole } from '@crm/data';
import { type Carriers, startCarriers } from '@crm/delivery/testing';
import { startNats, startPostgres } from '@crm/embedded';
import { identityApi } from '@crm/identity/api';
import pg from 'pg';
import { type Main, spawnMain } from '../system/child-process.ts';
import { definitionsFor } from '../system/definitions.ts';
import { wakeWorkers } from '../system/past-the-rules.ts';
import { environmentFor, newSecrets, type Settings } from '../system/settings.ts';

export type Ground = Awaited<ReturnType<typeof openGround>>;

/** A system for a load test: embedded servers, local carriers that keep `kept` messages, and service processes. */
export async function openGround(
  cleanup: AsyncDisposableStack,
  kept?: number,
  postgresSettings: Readonly<Record<string, string>> = {},
) {
  const dataDir = await mkdtemp(join(tmpdir(), 'crm-load-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const [postgres, nats] = await Promise.all([
    startPostgres({ dataDir, settings: postgresSettings }),
    startNats({ dataDir }),
  ]);
  cleanup.defer(postgres.stop);
  cleanup.defer(nats.stop);
  const carriers: Carriers = await startCarriers('http://127.0.0.1:9', kept);
  cleanup.defer(carriers.close);

  const { delivery } = carriers;
  const settings = { ...newSecrets(), delivery: { ...delivery, rules: { ...delivery.rules, ...noLimits } } };
  const databaseUrls = await migratedDatabases(postgres.url, settings);

  const urls: Record<string, string> = {};
  const spawn = (name: string, note: Parameters<typeof spawnMain>[2] = () => undefined): Main => {
    const own = { ...urls, ...environmentFor(name, settings) };
    const env = { HOST: '127.0.0.1', PORT: '0', DATABASE_URL: databaseUrls[name] ?? '', NATS_URL: nats.url };
    return spawnMain(`services/${name}/src/main.ts`, { ...env, ...own }, note);
  };
  for (const name of ['identity', 'contacts']) {
    const main = spawn(name);
    cleanup.defer(main.stop);
    urls[`${name.toUpperCase()}_URL`] = await main.url;
  }
  const pool = poolAt(postgres.url);
  cleanup.defer(() => pool.end());
  const rows = async (sql: string, values: readonly unknown[] = []) => {
    const found = await pool.query(sql, [...values]);
    // As a request that changes rows does, because workers look only then and at the next due time that they know.
    if (found.command !== 'SELECT') await pool.query(wakeWorkers);
    return found.rows;
  };
  const operator = createClient(identityApi, { url: urls.IDENTITY_URL ?? '', token: settings.operatorToken });

  return {
    carriers,
    operator,
    /** A gateway in front of identity and contacts. */
    spawnGateway: (env: Readonly<Record<string, string>>): Main => {
      const own = { ...urls, ...environmentFor('gateway', settings), HOST: '127.0.0.1', PORT: '0', ...env };
      return spawnMain('gateway/src/main.ts', own, () => undefined);
    },
    spawn: (name: 'contacts' | 'leads-routing' | 'scheduling', note?: Parameters<typeof spawnMain>[2]) =>
      spawn(name, note),
    rows,
    /** Users with a phone each, who are the members of the team 1. */
    people: async (count: number) => {
      const people = await addPeople(operator, count);
      await rows(newTeam, [people]);
      return people;
    },
    /** Makes people members of the team 1 to whom its leads are offered at once, with alerts on all channels or on none. */
    addOptions: async (people: readonly number[], hasAlerts: boolean) =>
      void (await rows(newOptions, [people[0], people, hasAlerts])),
  };
}

/** A load has more messages than a contact or an account may get in a day. */
const plenty = { texts: 10_000_000, emails: 10_000_000 };
export const noLimits = { maxPerContact: plenty, maxPerAccount: plenty };

const newTeam = `
  with team as (
    insert into identity.teams (id, creator_user_id, name, is_contact_resource_sharing_enabled, order_method,
      mins_until_next_alert, created_at, modified_at)
    values (1, ($1::int[])[1], 'Everybody', false, 'Rank', 5, now(), now()) returning id
  )
  insert into identity.team_members (team_id, user_id, request_status, created_at, modified_at)
  select team.id, member, 'Accepted', now(), now() from team, unnest($1::int[]) member`;

const newOptions = `
  insert into distribution_options (creator_user_id, team_id, user_id, rank, mins_until_lead_offer,
    assign_automatically, has_call_alert, has_text_alert, has_email_alert, created_at, modified_at)
  select $1::int, 1, member, 0, 0, false, alerts, alerts, alerts, now(), now()
  from unnest($2::int[]) member, (values ($3::boolean)) chosen (alerts)
  on conflict do nothing`;

function poolAt(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 4, options: '-c search_path=leads_routing' });
  pool.on('error', () => undefined); // The server is stopped while the pool is open.
  return pool;
}

/** The schema and the role of each service, and the address of its database. */
export async function migratedDatabases(
  adminUrl: string,
  settings: Settings,
): Promise<Record<string, string>> {
  const urls: Record<string, string> = {};
  for (const { name, store } of definitionsFor(settings)) {
    urls[name] = await provisionRole(adminUrl, store.schema);
    await migrate(urls[name], store);
  }
  return urls;
}

async function addPeople(operator: Client<typeof identityApi>, count: number): Promise<number[]> {
  const people = [];
  for (let index = 0; index < count; index++) {
    const { id } = await operator.users.create({
      email: `member${index}@example.com`,
      first_name: `Member ${index}`,
      phone: `604555${1000 + index}`,
    });
    people.push(id);
  }
  return people;
}
