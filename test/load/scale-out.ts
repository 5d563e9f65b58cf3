import { Pool } from 'undici';
import { cpuPerMessage, cpuSeconds } from './cpu.ts';
import { type Ground, openGround } from './ground.ts';

/**
 * What instances of contacts and of the gateway cost beside each other: the throughput of several pairs on the cores of this
 * machine, and the processor time of a request, by program. One identity and one PostgreSQL serve all pairs.
 */
const pairs = (process.argv[2] ?? '1,2,4').split(',').map(Number);
const seconds = Number(process.argv[3] ?? 20);
const connections = 32;
const agents = 50;
const contactsEach = 200;

await using cleanup = new AsyncDisposableStack();
const ground = await openGround(cleanup);
const tokens = await makeAgents(ground);
for (const count of pairs) await measure(count);

async function makeAgents({ operator, rows }: Ground): Promise<string[]> {
  const made: string[] = [];
  for (let nth = 0; nth < agents; nth++) {
    const { id } = await operator.users.create({
      email: `agent${nth}@example.com`,
      password: 'a long password',
    });
    const { access_token } = await operator.tokens.create({ user: id });
    await rows(
      `insert into contacts.contacts (owner_user_id, first_name, last_name, email, created_at, modified_at)
       select $1, 'Ada', 'Lovelace ' || n, 'ada' || n || '@example.com', now(), now() - n * interval '1 minute'
       from generate_series(1, $2::int) n`,
      [id, contactsEach],
    );
    made.push(access_token);
  }
  await rows('analyze contacts.contacts');
  return made;
}

/** Of ten requests, six read a list, three one contact, and one creates a contact. */
async function measure(count: number): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const pools = await Promise.all(
    Array.from({ length: count }, async () => {
      const contacts = ground.spawn('contacts');
      stack.defer(contacts.stop);
      const gateway = ground.spawnGateway({ RATE_LIMITS: 'off', CONTACTS_URL: await contacts.url });
      stack.defer(gateway.stop);
      const pool = new Pool(await gateway.url, {
        connections: Math.ceil(connections / count),
        pipelining: 1,
      });
      stack.defer(() => pool.close());
      return pool;
    }),
  );
  await load(pools, 5);
  const before = await cpuSeconds();
  const answers = await load(pools, seconds);
  const spent = cpuPerMessage(before, await cpuSeconds(), answers);
  const report = { instances: count, perSecond: Math.round(answers / seconds), cpuPerRequest: spent };
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
}

/** Sends the next request on each connection when the one before is answered. Returns how many were. */
async function load(pools: readonly Pool[], forSeconds: number): Promise<number> {
  const until = performance.now() + forSeconds * 1_000;
  let answers = 0;
  const work = async (pool: Pool, worker: number) => {
    const headers = {
      authorization: `Bearer ${tokens[worker % agents]}`,
      'content-type': 'application/json',
    };
    let known = 0;
    for (let nth = 0; performance.now() < until; nth++) {
      const step = nth % 10;
      const body = step === 0 ? JSON.stringify({ first_name: 'Ada', last_name: 'New' }) : null;
      const one = step % 3 === 1 && known > 0;
      const path = one
        ? `/contacts/${known}`
        : body
          ? '/contacts'
          : '/contacts?$limit=10&$sort[modified_at]=-1';
      const answer = await pool.request({ method: body ? 'POST' : 'GET', path, headers, body });
      const text = await answer.body.text();
      if (answer.statusCode > 201) throw new Error(`${answer.statusCode}: ${text}`);
      if (body) known = (JSON.parse(text) as { id: number }).id;
      answers++;
    }
  };
  const each = Math.ceil(connections / pools.length);
  const workers = pools.flatMap((pool, nth) =>
    Array.from({ length: each }, (_, worker) => work(pool, nth * each + worker)),
  );
  await Promise.all(workers);
  return answers;
}
