import { randomBytes } from 'node:crypto';
import { openDatabase } from '@crm/data';
import { defineEvent, type EventType } from '@crm/events';
import { EntitySchema, type MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { type Logger, pino } from 'pino';
import { expect, inject, onTestFinished } from 'vitest';
import { z } from 'zod';
import { auditTables } from '../src/audit-tables.ts';
import { type Broker, connectBroker } from '../src/broker.ts';
import { partitionedMessagingTables } from '../src/partitioned-tables.ts';
import { publish, writeEvents } from '../src/publish.ts';
import { streamOf } from '../src/stream-name.ts';
import {
  deadLetterTable,
  deliveryTables,
  lostEventColumns,
  messagingTables,
  republishingColumn,
  throttledNotifications,
} from '../src/tables.ts';
import { eventually } from './eventually.ts';

export { eventually } from './eventually.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
    natsUrl: string;
  }
}

export const log: Logger = pino({ level: process.env.LOG_LEVEL ?? 'silent' });

const tables = [
  messagingTables,
  throttledNotifications,
  deliveryTables,
  lostEventColumns,
  republishingColumn,
  deadLetterTable,
  auditTables,
];

/** Only letters, because it becomes part of the name of a service. */
export const unique = () => [...randomBytes(8)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('');

/** The tables that the tests' handlers write to: a row per effect, and a copy of the latest state. */
const handlerTables = `
create table effects (event_id uuid not null, name text not null);
create table copies (subject text primary key, name text not null, version int not null);
`;

export interface TestService {
  /** Also the schema and the role. */
  readonly service: string;
  readonly url: string;
  readonly pool: pg.Pool;
  readonly orm: MikroORM;
}

/** Entities need one. */
export const Copy = new EntitySchema<{ subject: string }>({
  name: 'Copy',
  tableName: 'copies',
  properties: { subject: { type: 'string', primary: true } },
});

/** The messaging part of a service: a role, its schema on the search path, and the tables. */
export async function createService(kind: string, { isPartitioned = true } = {}): Promise<TestService> {
  const service = `${kind}-${unique()}`;
  const admin = new pg.Client({ connectionString: inject('postgresUrl') });
  await admin.connect();
  await admin.query(`create role "${service}" login password 'secret'`);
  await admin.query(`create schema "${service}" authorization "${service}"`);
  await admin.query(`alter role "${service}" set search_path = "${service}"`);
  await admin.end();

  const address = new URL(inject('postgresUrl'));
  address.username = service;
  address.password = 'secret';
  const url = address.href;
  const pool = new pg.Pool({ connectionString: url, max: 6 });
  pool.on('error', () => {});
  const store = { schema: service, entities: [Copy], migrations: [] };
  const { orm } = await openDatabase({ url, store, poolSize: 20 });
  await orm.em.getConnection().execute(tables.join(''));
  if (isPartitioned) await pool.query(partitionedMessagingTables);
  await pool.query(handlerTables);
  onTestFinished(async () => {
    await pool.end();
    await orm.close(true);
  });
  return { service, url, pool, orm };
}

export function brokerAt(url: string, name = 'test'): Broker {
  const broker = connectBroker({ url, name, log, retryMs: 100 });
  onTestFinished(() => broker.close());
  return broker;
}

/** A broker that is there already, so that nobody waits for the next attempt to reach it. */
export async function connectedBroker(): Promise<Broker> {
  const broker = brokerAt(inject('natsUrl'));
  await broker.ready(60_000);
  return broker;
}

const Renamed = z.object({ name: z.string() });

/** An event of the service: a contact was renamed. */
export const renamedOf = (service: string): EventType<typeof Renamed> =>
  defineEvent(`${service}.contact.renamed`, 'A contact was renamed', Renamed);

export interface Renaming {
  readonly id?: number;
  readonly version?: number;
  readonly name?: string;
  /** Runs in the transaction after the event is written. */
  readonly meanwhile?: () => Promise<void>;
}

/** Publishes a renaming in its own transaction. */
export async function rename({ orm, service }: TestService, renaming: Renaming = {}): Promise<void> {
  const { id = 1, version = 1, name = 'Ada', meanwhile } = renaming;
  await orm.em.fork().transactional(async (em) => {
    const origin = { em, actor: 'system', requestId: 'test', now: () => new Date('2026-03-01T09:00:00Z') };
    publish(origin, renamedOf(service), { id, version }, { name });
    await writeEvents(em);
    await meanwhile?.();
  });
}

/** The number of pending rows in the outbox. */
export async function waiting({ pool }: TestService): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    'select count(*)::int as n from outbox where published_at is null',
  );
  return rows[0]?.n ?? 0;
}

/** Waits until the relay has sent and marked everything. */
export const allSent = (service: TestService, ms?: number) =>
  eventually(
    () => waiting(service),
    (n) => n === 0,
    ms,
  );

export async function effects({ pool }: TestService): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>('select name from effects order by name');
  return rows.map((row) => row.name);
}

export const untilEffects = (service: TestService, count: number) =>
  expect.poll(() => effects(service)).toHaveLength(count);

export async function copies({ pool }: TestService): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ subject: string; name: string }>('select subject, name from copies');
  return Object.fromEntries(rows.map((row) => [row.subject, row.name]));
}

interface StoredLetter {
  readonly id: number;
  readonly event_id: string | null;
  readonly subject: string;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly data: Buffer;
  readonly reason: string;
  readonly failures: number;
}

export async function deadLetters({ pool }: TestService): Promise<StoredLetter[]> {
  const { rows } = await pool.query<StoredLetter>(
    'select id, event_id, subject, headers, data, reason, failures from dead_letters order by id',
  );
  return rows;
}

/** When the service noticed that the broker has lost events. */
export async function lostAt({ pool }: TestService): Promise<Date | null> {
  const { rows } = await pool.query<{ lost_at: Date | null }>('select lost_at from published_streams');
  return rows[0]?.lost_at ?? null;
}

/** Every message in the stream of the service. */
export async function stored(broker: Broker, service: string): Promise<string[]> {
  const { jsm } = broker.session();
  const { state } = await jsm.streams.info(streamOf(service));
  const found: string[] = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
    const message = await jsm.direct.getMessage(streamOf(service), { seq });
    if (message) found.push(message.string());
  }
  return found;
}
