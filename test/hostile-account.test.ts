import { afterAll, describe, expect, it } from 'vitest';
import type { Answer, Api } from './system/api.ts';
import { shapesFor, startSystem } from './system.ts';

const connections = 12;
const perMinute = 200;

const anyOf = (patterns: readonly string[]) =>
  `/contacts?${patterns
    .map((pattern, index) => `$or[${index}][last_name][$like]=${encodeURIComponent(pattern)}`)
    .join('&')}`;

/** Patterns that are expensive to try and match nothing. */
const patterns = (count: number) =>
  Array.from({ length: count }, (_, index) => `%${'a%'.repeat(20)}z${index}%`);
const expensive = anyOf(patterns(5));
const refused = anyOf(patterns(50));

const statusesOf = (answers: readonly Answer[]) => [...new Set(answers.map(({ status }) => status))].sort();

describe.each(shapesFor(import.meta))('%s: an account that asks for all it may', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);
  const [hostile, other] = [await system.person(), await system.person()];
  await system.rows(
    'contacts',
    `insert into contacts (owner_user_id, first_name, last_name, created_at, modified_at)
     select $1, repeat('ab', 20), repeat('ba', 20) || i, now(), now() from generate_series(1, 2500) i`,
    [hostile.id],
  );
  const as = await system.limitedGateway({ address: 1_000_000, token: perMinute, account: 1_000_000 });

  /** What an agent does all day, some requests one after the other. */
  const work = async (api: Api) => {
    const answers: Answer[] = [];
    const times: number[] = [];
    const timed = async (request: () => Promise<Answer>) => {
      const started = performance.now();
      const answer = await request();
      times.push(performance.now() - started);
      answers.push(answer);
      return answer;
    };
    for (let round = 0; round < 10; round++) {
      const { body } = await timed(() => api.post('/contacts', { first_name: 'Ada' }));
      await timed(() => api.get(`/contacts/${body.id}`));
      await timed(() => api.get('/contacts?first_name[$like]=%25da%25'));
    }
    const p99 = times.sort((a, b) => a - b).at(Math.ceil(times.length * 0.99) - 1) ?? 0;
    return { answers, p99 };
  };

  /** How many connections of the service of contacts carry out what is expensive, at this moment. */
  const atWork = async () => {
    const text = `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and state = 'active' and query ~* '(like.*){5}' and pid <> pg_backend_pid()`;
    return Number((await system.rows('contacts', text))[0]?.count);
  };

  it('is the one that is refused, and keeps no other account from working', async () => {
    const quiet = await work(as(other.token));
    let isOver = false;
    const attack = async () => {
      const answers: Answer[] = [];
      for (let sent = 0; sent < 20 || (!isOver && sent < 300); sent++) {
        answers.push(await as(hostile.token).get(sent % 5 === 4 ? refused : expensive));
      }
      return answers;
    };
    const attacks = Array.from({ length: connections }, attack);
    let most = 0;
    const watch = async () => {
      while (!isOver) most = Math.max(most, await atWork());
    };
    const watching = watch();
    const during = await work(as(other.token)).finally(() => {
      isOver = true;
    });
    await watching;
    const hostiles = (await Promise.all(attacks)).flat();

    expect(statusesOf([...quiet.answers, ...during.answers])).toEqual([200, 201]);
    expect(statusesOf(hostiles)).toEqual(expect.arrayContaining([200, 400, 429]));
    expect(hostiles.filter(({ status }) => ![200, 400, 429, 503].includes(status))).toEqual([]);
    // It reads with two of ten connections, and one that was stopped may still be seen. So no other account waits for it.
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(3);
    const seconds = Number(hostiles.find(({ status }) => status === 429)?.headers['retry-after']);
    expect(seconds).toBeGreaterThan(0);
    process.stdout.write(
      `${shape}: p99 of the other account ${quiet.p99.toFixed(0)} ms alone, ${during.p99.toFixed(0)} ms beside it\n`,
    );
  });
});
