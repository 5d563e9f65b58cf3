import { randomBytes } from 'node:crypto';
import { defineEvent, type EventType } from '@crm/events';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { type Logger, pino } from 'pino';
import { inject, onTestFinished } from 'vitest';
import { z } from 'zod';
import { type Broker, connectBroker } from '../src/broker.ts';
import { OutboxMessage } from '../src/outbox-message.entity.ts';
import { publish } from '../src/publish.ts';
import { streamOf } from '../src/stream.ts';
import { messagingTables } from '../src/tables.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
    natsUrl: string;
  }
}

export const log: Logger = pino({ level: process.env.LOG_LEVEL ?? 'silent' });

/** Letters only, because they become part of the name of a service. */
export const unique = () => [...randomBytes(8)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('');

/** What a listener of the tests writes: what happened, once for each effect, and a copy of the latest state. */
const listenerTables = `
create table effects (event_id uuid not null, name text not null);
create table copies (subject text primary key, name text not null, version int not null);
`;

export interface Place {
  /** Also the schema and the role. */
  readonly service: string;
  readonly url: string;
  readonly pool: pg.Pool;
  readonly orm: MikroORM;
}

/** A service as far as messaging goes: a role, its schema on the search path, and the tables. */
export async function place(kind: string): Promise<Place> {
  const service = `${kind}-${unique()}`;
  const admin = new pg.Client({ connectionString: inject('postgresUrl') });
  await admin.connect();
  await admin.query(`create role "${service}" login password 'secret'`);
  await admin.query(`create schema "${service}" authorization "${service}"`);
  await admin.query(`alter role "${service}" set search_path = "${service}"`);
  await admin.end();

  const at = new URL(inject('postgresUrl'));
  at.username = service;
  at.password = 'secret';
  const url = at.href;
  const pool = new pg.Pool({ connectionString: url, max: 6 });
  pool.on('error', () => {});
  const orm = await MikroORM.init({
    clientUrl: url,
    entities: [OutboxMessage],
    pool: { max: 20 },
    discovery: {},
  });
  await orm.em.getConnection().execute(messagingTables);
  await pool.query(listenerTables);
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
  await broker.ready(5_000);
  return broker;
}

const Renamed = z.object({ name: z.string() });

/** A fact that the service may tell: somebody has a new name. */
export const renamedOf = (service: string): EventType<typeof Renamed> =>
  defineEvent(`${service}.contact.renamed`, 'Somebody has a new name', Renamed);

export interface Renaming {
  readonly id?: number;
  readonly version?: number;
  readonly name?: string;
  /** Runs in the transaction after the event is written. */
  readonly meanwhile?: () => Promise<void>;
}

/** Tells of a renaming in a transaction of its own. */
export async function rename({ orm, service }: Place, renaming: Renaming = {}): Promise<void> {
  const { id = 1, version = 1, name = 'Ada', meanwhile } = renaming;
  await orm.em.fork().transactional(async (em) => {
    const origin = { em, actor: 'system', requestId: 'test', now: () => new Date('2026-03-01T09:00:00Z') };
    publish(origin, renamedOf(service), { id, version }, { name });
    await em.flush();
    await meanwhile?.();
  });
}

/** Waits until the question is answered as hoped, and fails with the last answer when it never is. */
export async function eventually<Answer>(
  ask: () => Promise<Answer> | Answer,
  hoped: (answer: Answer) => boolean,
  ms = 10_000,
): Promise<Answer> {
  const deadline = performance.now() + ms;
  for (;;) {
    const answer = await ask();
    if (hoped(answer)) return answer;
    if (performance.now() > deadline)
      throw new Error(`It is still ${JSON.stringify(answer)} after ${ms} ms.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** How many rows of the outbox wait. */
export async function waiting({ pool }: Place): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    'select count(*)::int as n from outbox where published_at is null',
  );
  return rows[0]?.n ?? 0;
}

/** Waits until the relay has sent and marked everything that was told. */
export const allSent = (place: Place, ms?: number) =>
  eventually(
    () => waiting(place),
    (n) => n === 0,
    ms,
  );

export async function effects({ pool }: Place): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>('select name from effects order by name');
  return rows.map((row) => row.name);
}

export async function copies({ pool }: Place): Promise<Record<string, string>> {
  const { rows } = await pool.query<{ subject: string; name: string }>('select subject, name from copies');
  return Object.fromEntries(rows.map((row) => [row.subject, row.name]));
}

/** Everything in the stream of the service, as it lies there. */
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
