import type { User } from '@crm/auth';
import { someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { notesApi, notesService } from '../test/notes.ts';
import { serviceUnderTest } from '../test/service-under-test.ts';

const service = await serviceUnderTest(notesApi, notesService);
afterAll(service.close);

const find = (user: User) => service.as(user).notes.find({});
const times = <Result>(count: number, act: () => Promise<Result>) => Array.from({ length: count }, act);

/** Keeps everybody from reading notes until the work is done. */
async function whileLocked<Result>(work: () => Promise<Result>): Promise<Result> {
  return service.database.orm.em.fork({ clear: true }).transactional(async (em) => {
    await em.execute('lock table notes in access exclusive mode');
    return work();
  });
}

/** How many connections of the service wait for the lock, once nothing more joins them. */
async function waitingForLock(least: number): Promise<number> {
  const sql = `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  const count = async () => Number((await service.rows(sql))[0]?.count);
  await expect.poll(count).toBeGreaterThanOrEqual(least);
  return count();
}

describe('a read', () => {
  it('that takes too long is stopped with an error that says how to fix it, and its connection works on', async () => {
    const { read } = service.database;
    await expect(read('select pg_sleep(4)', [])).rejects.toMatchObject({
      name: 'Unavailable',
      reason: 'too_slow',
      retryAfter: 1,
      message: expect.stringMatching(
        /^Reading took longer than 1 second .* use fewer conditions with \$like/,
      ),
    });
    expect(await Promise.all(times(10, () => read('select 1 as one', [])))).toEqual(
      Array(10).fill([{ one: 1 }]),
    );
  });

  it('that waits for a lock for too long is stopped with an error that asks for no change of it, and its connection works on', async () => {
    const anna = someone();
    const refused = {
      name: 'Unavailable',
      reason: 'unavailable',
      retryAfter: 1,
      message: 'The service is temporarily unavailable.',
    };
    await whileLocked(async () => {
      await expect(find(anna)).rejects.toMatchObject(refused);
      await expect(service.as(anna).notes.get({ id: 1 })).rejects.toMatchObject(refused);
    });
    const others = times(10, () => find(someone()));
    expect(await Promise.all([...others, find(anna)])).toHaveLength(11);
  });
});

describe('the connections of a service', () => {
  it('let no request wait for others of its user until its caller loses patience', async () => {
    const hostile = someone();
    const reads = await whileLocked(() => Promise.allSettled(times(8, () => find(hostile))));
    const names = reads.map((one) => (one.status === 'rejected' ? one.reason.name : 'done'));
    expect(names.slice(0, 2)).toEqual(['Unavailable', 'Unavailable']);
    expect(names.at(-1)).toBe('TooManyRequests');
    expect(await find(hostile)).toMatchObject({ total: expect.any(Number) });
  });

  it.each([
    { who: 'one user', users: [someone({ id: 71 })] },
    {
      who: 'a broker who acts for two users',
      users: [someone({ id: 72, act: { id: 9 } as never }), someone({ id: 73, act: { id: 9 } as never })],
    },
  ])('are not all taken by the slow reads of $who', async ({ users }) => {
    const slow = await whileLocked(async () => {
      const reads = users.flatMap((user) =>
        times(12 / users.length, () => find(user).catch((error) => error.name)),
      );
      expect(await waitingForLock(2)).toBe(2);
      return { reads };
    });
    expect(await Promise.all(slow.reads)).toHaveLength(12);
  });

  it('are not all taken by the slow changes of one user', async () => {
    const [hostile, other] = [someone(), someone()];
    const order: string[] = [];
    const create = (user: User, text: string, name: string) =>
      service
        .as(user)
        .notes.create({ text })
        .then(() => order.push(name));
    const slow = times(12, () => create(hostile, 'slow', 'hostile'));
    await create(other, 'quick', 'other');
    expect(order).toEqual(['other']);
    await Promise.all(slow);
  });

  it('refuse more than a number of waiting requests of one user, and only of this one', async () => {
    const [hostile, other] = [someone(), someone()];
    const names = await whileLocked(async () => {
      const reads = times(110, () =>
        find(hostile).then(
          () => 'done',
          (error) => error.name,
        ),
      );
      expect(await Promise.all(reads.slice(102))).toEqual(Array(8).fill('TooManyRequests'));
      return { reads: reads.slice(0, 102) };
    });
    expect(await find(other)).toMatchObject({ total: expect.any(Number) });
    expect(await Promise.all(names.reads)).not.toContain('TooManyRequests');
  });
});
