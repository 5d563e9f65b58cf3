import { limitStatements, openDatabase, queryIn } from '@crm/data';
import { freshDatabase } from '@crm/testing';
import type { EntityManager } from '@mikro-orm/postgresql';
import { afterAll, describe, expect, it } from 'vitest';
import { notesService } from '../test/notes.ts';

const fresh = await freshDatabase([notesService.store]);
afterAll(fresh.drop);
const { orm, pool, query, close } = await openDatabase({
  url: fresh.urls.notes ?? '',
  store: notesService.store,
  poolSize: 1,
});
afterAll(close);

const inTransaction = <Result>(work: (em: EntityManager) => Promise<Result>) =>
  orm.em.fork({ clear: true }).transactional(work);

const add = `insert into notes (user_id, text, likes) values ($1, $2, 0) returning id`;
const texts = async (user: number) =>
  (await query('select text from notes where user_id = $1 order by id', [user])).map(({ text }) => text);

type Write = (...given: unknown[]) => unknown;
const ways = ['writev', 'writeBuffer', 'writeUtf8String', 'writeLatin1String'];

/** How many packets the connection sends while the work is done. */
async function packetsOf(work: () => Promise<unknown>): Promise<number> {
  const client = await pool.connect();
  const { _handle: handle } = client.connection.stream as unknown as {
    readonly _handle: Record<string, Write>;
  };
  client.release();
  let sent = 0;
  for (const [name, write] of ways.map((way) => [way, handle[way]] as const)) {
    handle[name] = (...given) => {
      sent += 1;
      return write?.apply(handle, given);
    };
  }
  await work();
  return sent;
}

describe('statements of a transaction', () => {
  it('are sent in one packet when they are given together, and with "begin" if they only read', async () => {
    const work = () =>
      inTransaction(async (em) => {
        const run = queryIn(em);
        await Promise.all([run('select $1::int', [1]), run('select $1::int, 2', [1])]);
        await Promise.all([run(add, [1, 'a']), run(add, [1, 'b'])]);
      });
    await work(); // Prepares the statements.
    expect(await packetsOf(work)).toBe(3); // The last one commits.
    expect(await texts(1)).toEqual(['a', 'b', 'a', 'b']);
  });

  it('are sent in one packet with the commit if nothing awaits them', async () => {
    const work = () =>
      inTransaction(async (em) => {
        const run = queryIn(em);
        await run('select $1::int', [1]);
        void run(add, [8, 'a']);
        void run(add, [8, 'b']);
      });
    await work(); // Prepares the statements.
    expect(await packetsOf(work)).toBe(2);
    expect(await texts(8)).toEqual(['a', 'b', 'a', 'b']);
  });

  it('that nothing awaits are undone together if one fails, and the transaction fails with its error', async () => {
    const sent: Promise<unknown>[] = [];
    const failing = inTransaction(async (em) => {
      const run = queryIn(em);
      for (const text of ['a', null, 'b']) sent.push(run(add, [9, text]));
      void Promise.allSettled(sent);
    });
    const reason = { message: expect.stringContaining('null value in column "text"') };
    await expect(failing).rejects.toMatchObject(reason);
    // Also those that PostgreSQL refuses because of it.
    expect(await Promise.allSettled(sent.slice(1))).toMatchObject([{ reason }, { reason }]);
    expect(await texts(9)).toEqual([]);
  });

  it('fail with the error of the first one also if they could not be prepared because of it', async () => {
    const twice = 'select $1::int as never_sent_before';
    const sent: Promise<unknown>[] = [];
    const failing = inTransaction(async (em) => {
      const run = queryIn(em);
      sent.push(run('select 1 / $1::int', [0]), run(twice, [1]), run(twice, [2]));
      void Promise.allSettled(sent);
    });
    await expect(failing).rejects.toThrow('division by zero');
    const reason = { message: 'division by zero' };
    expect(await Promise.allSettled(sent)).toMatchObject([{ reason }, { reason }, { reason }]);
  });

  it('fail with the error of the first one also if the transaction began together with its settings', async () => {
    const client = await pool.connect();
    const sent = ["begin; set local lock_timeout = '1s'", 'select 1 / 0', 'select 1', 'commit'];
    const reason = { message: 'division by zero' };
    expect(await Promise.allSettled(sent.map((text) => client.query(text)))).toMatchObject([
      { status: 'fulfilled' },
      { reason },
      { reason },
      { reason },
    ]);
    client.release();
  });

  it('of an inner one that was undone are no reason for the failure of others', async () => {
    const failing = inTransaction(async (em) => {
      const inner = em.transactional((tx) => queryIn(tx)('select 1 / $1::int', [0]));
      await expect(inner).rejects.toThrow('division by zero');
      void Promise.allSettled([queryIn(em)(add, [11, null]), queryIn(em)(add, [11, 'a'])]);
    });
    await expect(failing).rejects.toThrow('null value in column "text"');
  });

  it('of an inner one that were in flight when it was undone are no reason for later failures', async () => {
    const failing = inTransaction(async (em) => {
      const inner = em.transactional(async (tx) => {
        const run = queryIn(tx);
        await run('select $1::int', [1]);
        void Promise.allSettled([run('select 1 / $1::int', [0]), run('select 2 / $1::int', [0])]);
        throw new Error('refused');
      });
      await expect(inner).rejects.toThrow('refused');
      void Promise.allSettled([queryIn(em)(add, [11, null])]);
    });
    await expect(failing).rejects.toThrow('null value in column "text"');
  });

  it('have left nothing behind by which a later statement outside of it would seem to fail', async () => {
    const failing = inTransaction((em) => queryIn(em)('select 1 / $1::int', [0]));
    await expect(failing).rejects.toThrow('division by zero');
    const client = await pool.connect();
    const refused = expect(client.query('execute never_prepared')).rejects;
    await refused.toThrow('prepared statement "never_prepared" does not exist');
    await client.query('begin; select 1; commit');
    await expect(client.query('select 1 / 0')).rejects.toThrow('division by zero');
    await expect(client.query('execute never_prepared')).rejects.toThrow('"never_prepared" does not exist');
    client.release();
  });

  it('are refused while the transaction is committed, because they would not be part of it', async () => {
    const late = Promise.withResolvers<unknown>();
    const refused = expect(late.promise).rejects.toThrow('The transaction has ended.');
    await inTransaction(async (em) => {
      const run = queryIn(em);
      await run(add, [10, 'a']);
      // After the commit has been sent and before it is confirmed.
      setImmediate(() => run(add, [10, 'late']).then(late.resolve, late.reject));
    });
    await refused;
    expect(await texts(10)).toEqual(['a']);
  });

  it('are limited in time without a packet of its own, each for itself and in no other transaction', async () => {
    const work = (ms: number, seconds: number) =>
      inTransaction(async (em) => {
        limitStatements(em, ms);
        await queryIn(em)('select pg_sleep($1)', [seconds]);
        await queryIn(em)(add, [6, 'a']);
      });
    await work(4_000, 0); // Prepares the statements.
    expect([await packetsOf(() => work(4_000, 0)), await packetsOf(() => work(5_000, 0))]).toEqual([3, 3]);
    await expect(work(50, 0.3)).rejects.toThrow('statement timeout');
    await work(5_000, 0.3);
    expect(await texts(6)).toEqual(['a', 'a', 'a', 'a']);
  });

  it('run in the order in which they are given, also before "begin" is confirmed', async () => {
    const counted = await inTransaction(async (em) => {
      const run = queryIn(em);
      const count = () => run('select count(*)::int as count from notes where user_id = $1', [2]);
      const [before, , after] = await Promise.all([count(), run(add, [2, 'a']), count()]);
      return [before[0]?.count, after[0]?.count];
    });
    expect(counted).toEqual([0, 1]);
  });

  it('are undone together when one of those that were sent together fails', async () => {
    const failing = inTransaction(async (em) => {
      const run = queryIn(em);
      await run('select $1::int', [1]);
      await Promise.all([run(add, [3, 'a']), run('select 1 / $1::int', [0]), run(add, [3, 'b'])]);
    });
    await expect(failing).rejects.toThrow('division by zero');
    expect(await texts(3)).toEqual([]);
  });

  it('are undone also if the transaction fails before "begin" is confirmed, and those that wait fail with it', async () => {
    const outcomes: Promise<unknown>[] = [];
    const failing = inTransaction(async (em) => {
      const run = queryIn(em);
      outcomes.push(run(add, [7, 'a']), run('select $1::int', [1]));
      await Promise.all([...outcomes, Promise.reject(new Error('failed meanwhile'))]);
    });
    await expect(failing).rejects.toThrow('failed meanwhile');
    const undone = { status: 'rejected', reason: { message: 'The transaction was rolled back.' } };
    expect(await Promise.allSettled(outcomes)).toMatchObject([undone, undone]);
    expect(await texts(7)).toEqual([]);
    await inTransaction((em) => queryIn(em)(add, [7, 'b']));
    expect(await texts(7)).toEqual(['b']);
  });

  it('of an inner one are undone alone, and leave with its savepoint', async () => {
    const work = () =>
      inTransaction(async (em) => {
        await queryIn(em)(add, [5, 'a']);
        const inner = em.transactional(async (tx) => {
          await queryIn(tx)(add, [5, 'b']);
          throw new Error('undone');
        });
        await expect(inner).rejects.toThrow('undone');
        await em.transactional((tx) => queryIn(tx)(add, [5, 'c']));
      });
    await work();
    expect(await texts(5)).toEqual(['a', 'c']);
    // One to begin, for each addition and to roll back; the savepoint is released with the commit.
    expect(await packetsOf(work)).toBe(6);
  });

  it('are refused after its end, when the connection may be in another transaction', async () => {
    let late: (() => Promise<unknown>) | undefined;
    const failing = inTransaction(async (em) => {
      const run = queryIn(em);
      await run(add, [4, 'a']);
      late = () => run(add, [4, 'late']);
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    await expect(late?.()).rejects.toThrow('The transaction has ended.');
    expect(await texts(4)).toEqual([]);
  });
});
