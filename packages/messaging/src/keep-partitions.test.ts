import { randomUUIDv7 } from 'node:crypto';
import { Client, type Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import { createService, rename, type TestService } from '../test/rig.ts';
import { enterInbox } from './inbox.ts';
import { keepPartitions } from './keep-partitions.ts';
import { type PartitionedTable, partitionedTables } from './partitioned-tables.ts';

const days = 400;
const keep = ({ url }: TestService, tables: readonly PartitionedTable[] = partitionedTables(days)) =>
  keepPartitions(new Client(url), tables);

async function partitionsOf(pool: Pool, table: string): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class join pg_inherits on oid = inhrelid where inhparent = $1::regclass order by 1`,
    [table],
  );
  return rows.map(({ name }) => name);
}

/** The partition of the moment so many periods from now. */
async function nameOf(
  pool: Pool,
  { name: table, period }: PartitionedTable,
  periods: number,
): Promise<string> {
  const { rows } = await pool.query<{ name: string }>(
    `select $1 || to_char(date_trunc('${period}', now() at time zone 'UTC') + $2 * interval '1 ${period}', $3) as name`,
    [`${table}_`, periods, period === 'day' ? 'YYYY_MM_DD' : 'YYYY_MM'],
  );
  return rows[0]?.name ?? '';
}

/** An event's id of so many milliseconds since 1970. */
const idOf = (ms: number) => {
  const digits = ms.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}${randomUUIDv7().slice(13)}`;
};

const day = 86_400_000;
const idBefore = (days: number) => idOf(Date.now() - days * day);

const adding: Readonly<Record<string, (moment: Date) => [text: string, values: unknown[]]>> = {
  outbox: (moment) => [
    `insert into outbox (event_id, subject, payload, published_at) values ($1, 'a.b.c', '{}', $2)`,
    [randomUUIDv7(), moment],
  ],
  inbox: (moment) => [
    `insert into inbox (consumer, event_id, received_at) values ('one', $1, $2)`,
    [idOf(moment.getTime()), moment],
  ],
  audit_events: (moment) => [
    `insert into audit_events (id, created_at, actor_type, request_id, action)
     values (gen_random_uuid(), $1, 'user', 'test', 'test')`,
    [moment],
  ],
};

/** Adds a row of the period so many from now. */
async function add(db: Pool | Client, { name, period }: PartitionedTable, periods: number): Promise<void> {
  const { rows } = await (db as Client).query<{ moment: Date }>(
    `select (date_trunc('${period}', now() at time zone 'UTC') + $1 * interval '1 ${period}' + interval '1 hour')
       at time zone 'UTC' as moment`,
    [periods],
  );
  const [text, values] = adding[name]?.(rows[0]?.moment ?? new Date()) ?? ['', []];
  await (db as Client).query(text, values);
}

/** A service whose tables have no partitions but the default ones. */
async function unkept(): Promise<TestService> {
  const service = await createService('kept');
  for (const name of await partitionsOf(service.pool, 'audit_events'))
    if (name !== 'audit_events_default') await service.pool.query(`drop table ${name}`);
  return service;
}

/** How many rows each partition has that has any, the oldest first. */
async function placesOf(pool: Pool, table: string): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ name: string; count: number }>(
    `select tableoid::regclass::text as name, count(*)::int as count from ${table} group by 1 order by 1`,
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

async function countIn(pool: Pool, table: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(`select count(*)::int as count from ${table}`);
  return rows[0]?.count ?? 0;
}

describe.each(partitionedTables(days))('the partitions of $name', (table) => {
  const { name, period } = table;
  const tooLong = period === 'day' ? table.days + 1 : 15;

  it('are made for this period and the next two, however often and by however many', async () => {
    const service = await unkept();
    const { pool } = service;
    await Promise.all([1, 2, 3].map(() => keep(service)));
    const made = [...(await Promise.all([0, 1, 2].map((n) => nameOf(pool, table, n)))), `${name}_default`];
    expect(await partitionsOf(pool, name)).toEqual(made);
    await pool.query(`drop table ${made[2]}, ${made[1]}`);
    await Promise.all([1, 2, 3].map(() => keep(service)));
    expect(await partitionsOf(pool, name)).toEqual(made);
  });

  it('are not needed to write, and get what was written without them', async () => {
    const service = await unkept();
    const { pool } = service;
    for (const periods of [0, -1, -tooLong]) await add(pool, table, periods);
    await keep(service);
    const [now, before] = [await nameOf(pool, table, 0), await nameOf(pool, table, -1)];
    expect(await placesOf(pool, name)).toEqual({ [before]: 1, [now]: 1 });
    await add(pool, table, 0);
    await keep(service);
    expect(await placesOf(pool, name)).toEqual({ [before]: 1, [now]: 2 });
  });

  it('are dropped as a whole when nobody needs a row of them', async () => {
    const service = await unkept();
    const { pool } = service;
    for (const periods of [0, -1, -5]) await add(pool, table, periods);
    await keep(service);
    const before = await partitionsOf(pool, name);
    // The clock cannot be set forward, so that less is kept instead.
    await Promise.all([1, 2].map(() => keep(service, [{ ...table, days: period === 'day' ? 2 : 62 }])));
    const dropped = before.filter((one, index) => index === 0 && one !== `${name}_default`);
    expect(await partitionsOf(pool, name)).toEqual(before.filter((one) => !dropped.includes(one)));
    expect(Object.values(await placesOf(pool, name))).toEqual([1, 1]);
  });

  it('are made and dropped without waiting for a long reader, and without others waiting', async () => {
    const service = await unkept();
    const { pool } = service;
    await add(pool, table, 0);
    const reader = await pool.connect();
    await reader.query(`begin; select count(*) from ${name}`);
    const kept = keep(service, [table]);
    const writer = new Client(service.url);
    await writer.connect();
    await writer.query("set lock_timeout = '10s'");
    for (let row = 0; row < 20; row++) await add(writer, table, 0);
    await writer.end();
    await reader.query('commit');
    reader.release();
    await kept;
    expect(await placesOf(pool, name)).toEqual({ [await nameOf(pool, table, 0)]: 21 });
  });

  it('are added beside many rows without reading them again while others wait', async () => {
    const service = await unkept();
    const { pool } = service;
    for (let row = 0; row < 3; row++) await add(pool, table, 0);
    const client = new Client(service.url);
    const reasons: (string | undefined)[] = [];
    client.on('notice', ({ message }) => reasons.push(message));
    await pool.query(`alter role current_user set client_min_messages = debug1`);
    await keepPartitions(client, [{ ...table, mostMoved: 2 }]);
    const implied = `updated partition constraint for default partition "${name}_default" is implied by existing constraints`;
    expect(reasons.filter((reason) => reason === implied)).toHaveLength(2);
    const made = [await nameOf(pool, table, 1), await nameOf(pool, table, 2), `${name}_default`];
    expect(await partitionsOf(pool, name)).toEqual(made);
    expect(await placesOf(pool, name)).toEqual({ [`${name}_default`]: 3 });
    await add(pool, table, 1);
    expect(await placesOf(pool, name)).toEqual({ [`${name}_default`]: 3, [made[0] ?? '']: 1 });
    await keep(service, [table]);
    expect(await placesOf(pool, name)).toEqual({ [await nameOf(pool, table, 0)]: 3, [made[0] ?? '']: 1 });
  });
});

describe('the partitions of the inbox', () => {
  const entering =
    ({ orm }: TestService) =>
    (id: string) =>
      orm.em.fork().transactional(async (em) => (await enterInbox(em, 'one', [id])).has(id));

  it('let an event be handled once, however late it comes again', async () => {
    const service = await unkept();
    const enter = entering(service);
    // The last is none of ours, and has no time.
    const early = [...[0, 1, 20, 100].map(idBefore), '7d6ab2f0-0e62-4a0c-8b51-62f6b33aef38'];
    for (const id of early) expect(await enter(id), id).toBe(true);
    await keep(service);
    for (const id of early) expect(await enter(id), id).toBe(false);
    const later = [0, 15, 27].map(idBefore);
    for (const id of later) expect(await enter(id), id).toBe(true);
    await keep(service);
    for (const id of [...early, ...later]) expect(await enter(id), id).toBe(false);
    expect(await countIn(service.pool, 'inbox')).toBe(early.length + later.length);
  });

  it('are kept as long as an event is that came late', async () => {
    const service = await unkept();
    const [inbox] = partitionedTables(days).filter(({ name }) => name === 'inbox');
    const id = idBefore(10);
    await entering(service)(id);
    await keep(service);
    expect(await countIn(service.pool, 'inbox_default')).toBe(0);
    if (inbox) await keep(service, [{ ...inbox, days: 5 }]);
    expect(await entering(service)(id)).toBe(false);
  });
});

describe('a partition that is over', () => {
  it('stays if an event that came late is written to it until nobody else can write', async () => {
    const service = await unkept();
    const { pool } = service;
    const inboxes = partitionedTables(days).filter(({ name }) => name === 'inbox');
    const text = `insert into inbox (consumer, event_id, received_at) values ($1, $2, now() - $3 * interval '1 day')`;
    await pool.query(text, ['one', idBefore(10), 10]);
    await keep(service, inboxes);
    const late = await pool.connect();
    await late.query('begin');
    await late.query(text, ['two', idBefore(10), 0]);
    const kept = keep(
      service,
      inboxes.map((inbox) => ({ ...inbox, days: 5 })),
    );
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%drop table inbox_%'`;
    await expect.poll(async () => (await pool.query(waiting)).rowCount, { interval: 5 }).toBe(1);
    await late.query('commit');
    late.release();
    await kept;
    expect(await countIn(pool, 'inbox')).toBe(2);
  });
});

describe('the partitions of the audit log', () => {
  it('let nobody change a row', async () => {
    const service = await unkept();
    await rename(service, { id: 1 });
    await keep(service);
    await rename(service, { id: 1, version: 2 });
    expect(await placesOf(service.pool, 'audit_events')).toEqual({
      [await nameOf(service.pool, { name: 'audit_events', period: 'month' } as PartitionedTable, 0)]: 2,
    });
    await expect(service.pool.query('delete from audit_events')).rejects.toThrow('can only be added');
  });
});
