import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { cpuPerMessage, cpuSeconds } from './cpu.ts';
import { openGround } from './ground.ts';

/**
 * How long after a request its event has taken effect in another service, at a steady rate: contacts are removed, and
 * scheduling removes what it has of them. From the start of the request's transaction to the commit of the effect, both by
 * the clock of PostgreSQL.
 */
const perSecond = Number(process.argv[2] ?? 100);
const seconds = Number(process.argv[3] ?? 30);
const warmUpSeconds = 5;

await using cleanup = new AsyncDisposableStack();
const ground = await openGround(cleanup, undefined, { track_commit_timestamp: 'on' });
const { operator, rows, spawn, spawnGateway } = ground;
const [scheduling, gateway] = [spawn('scheduling'), spawnGateway({ RATE_LIMITS: 'off' })];
for (const { stop } of [scheduling, gateway]) cleanup.defer(stop);
await scheduling.url;
const pool = new Pool(await gateway.url, { connections: 32, pipelining: 1 });
cleanup.defer(() => pool.close());

const { id } = await operator.users.create({ email: 'agent@example.com', password: 'a long password' });
const { access_token: token } = await operator.tokens.create({ user: id });
const count = perSecond * (warmUpSeconds + seconds);
const contacts = await rows(
  `insert into contacts.contacts (owner_user_id, first_name, created_at, modified_at)
   select $1, 'Ada', now(), now() from generate_series(1, $2::int) returning id`,
  [id, count],
);

async function remove(contactId: number): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const { statusCode, body } = await pool.request({
    method: 'DELETE',
    path: `/contacts/${contactId}`,
    headers,
  });
  const text = await body.text();
  if (statusCode >= 300) throw new Error(`${statusCode}: ${text}`);
}

const began = performance.now();
const removals: Promise<void>[] = [];
let cpu = await cpuSeconds();
for (const [nth, contact] of contacts.entries()) {
  await sleep(Math.max(0, began + (nth * 1_000) / perSecond - performance.now()));
  if (nth === perSecond * warmUpSeconds) cpu = await cpuSeconds();
  removals.push(remove(contact.id));
}
await Promise.all(removals);
await sleep(2_000);
const spent = cpuPerMessage(cpu, await cpuSeconds(), perSecond * seconds);

const [times] = await rows(
  `with effects as (
     select row_number() over (order by o.id) as nth,
       extract(epoch from pg_xact_commit_timestamp(i.xmin) - o.created_at) * 1000 as ms
     from contacts.outbox o join scheduling.inbox i using (event_id) where o.subject like '%contact.removed%'
   )
   select count(*)::int as effects, round(percentile_cont(0.5) within group (order by ms))::int as p50_ms,
     round(percentile_cont(0.99) within group (order by ms))::int as p99_ms, round(max(ms))::int as slowest_ms
   from effects where nth > $1::int`,
  [perSecond * warmUpSeconds],
);
process.stdout.write(`${JSON.stringify({ perSecond, ...times, cpuPerEvent: spent }, null, 2)}\n`);
