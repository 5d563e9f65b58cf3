import { Pool } from 'undici';
import type { Ground } from './ground.ts';

interface Load {
  /** Of each, an account works once alone and once beside the hostile account. */
  readonly rounds: number;
  readonly note: (line: string) => void;
}

interface Times {
  readonly p50: number;
  readonly p99: number;
}

export interface BesideReport {
  readonly rounds: number;
  /** Of all requests of that account, in milliseconds. */
  readonly quiet: Times;
  readonly beside: Times;
  /** The median over the rounds of what the second is of the first. */
  readonly ratio: Times;
  /** Responses to it other than 200 and 201. */
  readonly failures: number;
  /** Responses to the hostile account, by status. */
  readonly hostile: Readonly<Record<number, number>>;
}

const hostileConnections = 12;
/** As many as an expensive list may have, each of which matches nothing. */
const patterns = Array.from({ length: 5 }, (_, index) => `%${'a%'.repeat(20)}z${index}%`);
const expensive = `/contacts?${patterns
  .map((pattern, index) => `$or[${index}][last_name][$like]=${encodeURIComponent(pattern)}`)
  .join('&')}`;

/** What an account notices of another one that takes all it can get, where no limit of requests stops it. */
export async function besideHostileAccount(
  ground: Ground,
  cleanup: AsyncDisposableStack,
  { rounds, note }: Load,
): Promise<BesideReport> {
  const gateway = ground.spawnGateway({ RATE_LIMITS: 'off' });
  cleanup.defer(gateway.stop);
  const pool = new Pool(await gateway.url, { connections: 64, pipelining: 1 });
  cleanup.defer(() => pool.close());
  const [hostile, other] = [await accountOf(ground, 'hostile'), await accountOf(ground, 'other')];
  await ground.rows(
    `insert into contacts.contacts (owner_user_id, first_name, last_name, created_at, modified_at)
     select $1, repeat('ab', 20), repeat('ba', 20) || i, now(), now() from generate_series(1, 2500) i`,
    [hostile.id],
  );
  const statuses: Record<number, number> = {};
  const attack = async (isOver: () => boolean) => {
    while (!isOver()) {
      const { status } = await send(pool, hostile.token, 'GET', expensive);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  const work = () => workOf(pool, other.token);
  await work();
  const all: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    const alone = await work();
    const beside = await whileAttacked(attack, work);
    all.push({ alone, beside });
    const [before, during] = [timesOf(alone.times), timesOf(beside.times)];
    note(`${round + 1}: p99 ${before.p99.toFixed(1)} ms alone, ${during.p99.toFixed(1)} ms beside it`);
  }
  return { ...reportOf(all), hostile: statuses };
}

async function whileAttacked<Result>(
  attack: (isOver: () => boolean) => Promise<void>,
  work: () => Promise<Result>,
): Promise<Result> {
  let isOver = false;
  const attacks = Array.from({ length: hostileConnections }, () => attack(() => isOver));
  const result = await work();
  isOver = true;
  await Promise.all(attacks);
  return result;
}

type Worked = Awaited<ReturnType<typeof workOf>>;
type Round = { readonly alone: Worked; readonly beside: Worked };

function reportOf(all: readonly Round[]) {
  const ratioOf = (which: keyof Times) =>
    middle(all.map(({ alone, beside }) => timesOf(beside.times)[which] / timesOf(alone.times)[which]));
  return {
    rounds: all.length,
    quiet: timesOf(all.flatMap(({ alone }) => alone.times)),
    beside: timesOf(all.flatMap(({ beside }) => beside.times)),
    ratio: { p50: ratioOf('p50'), p99: ratioOf('p99') },
    failures: all.reduce((sum, { alone, beside }) => sum + alone.failures + beside.failures, 0),
  };
}

async function accountOf({ operator }: Ground, name: string) {
  const { id } = await operator.users.create({ email: `${name}@example.com`, password: 'a long password' });
  const { access_token } = await operator.tokens.create({ user: id });
  return { id, token: access_token };
}

/** What an agent does, one request after the other: new contacts, reading them, searching a list. */
async function workOf(pool: Pool, token: string) {
  const times: number[] = [];
  let failures = 0;
  const timed = async (method: 'GET' | 'POST', path: string, body?: object) => {
    const began = performance.now();
    const answer = await send(pool, token, method, path, body);
    times.push(performance.now() - began);
    if (answer.status > 201) failures += 1;
    return answer.body;
  };
  for (let turn = 0; turn < 40; turn++) {
    const made = await timed('POST', '/contacts', { first_name: 'Ada' });
    await timed('GET', `/contacts/${made.id}`);
    await timed('GET', '/contacts?first_name[$like]=%25da%25');
  }
  return { times, failures };
}

async function send(pool: Pool, token: string, method: 'GET' | 'POST', path: string, body?: object) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await pool.request({ method, path, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await answer.body.text();
  return { status: answer.statusCode, body: JSON.parse(text) as { readonly id?: number } };
}

const sorted = (values: readonly number[]) => values.toSorted((one, other) => one - other);
const at = (values: readonly number[], share: number) =>
  sorted(values)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0;
const middle = (values: readonly number[]) => at(values, 0.5);
const timesOf = (values: readonly number[]): Times => ({ p50: middle(values), p99: at(values, 0.99) });
