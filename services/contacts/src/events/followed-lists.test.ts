import { someone } from '@crm/testing';
import type { PoolClient } from 'pg';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);
const { pool } = contacts.database;

/** What the guide about changes says: how far before what was seen a poll begins. */
const overlapMs = 120_000;

/** A transaction that has written, and is still to be committed. */
async function writing(write: (client: PoolClient) => Promise<number>) {
  const client = await pool.connect();
  onTestFinished(() => client.release(true));
  await client.query('begin');
  return { id: await write(client), commit: () => client.query('commit') };
}

/** Writes a copy of a row. */
const copying =
  (table: 'events' | 'static_lists', id: number, values: Readonly<Record<string, string>> = {}) =>
  async (client: PoolClient): Promise<number> => {
    const { rows: columns } = await client.query<{ name: string }>(
      `select column_name as name from information_schema.columns
       where table_schema = current_schema() and table_name = $1 and column_name <> 'id' and is_generated = 'NEVER'`,
      [table],
    );
    const names = columns.map(({ name }) => name);
    const shown = names.map((name) => values[name] ?? name);
    const { rows } = await client.query<{ id: number }>(
      `insert into ${table} (${names.join(', ')}) select ${shown.join(', ')} from ${table} where id = $1 returning id`,
      [id],
    );
    return Number(rows[0]?.id);
  };

interface Poll {
  /** On the clock of the client. */
  readonly began: number;
  readonly greatest: number;
}

/** Follows events by their ids: each poll begins at the greatest id that was known so long before the last one. */
function eventFollower(user: ReturnType<typeof someone>, overlap: number) {
  const known = new Set<number>();
  const polls: Poll[] = [];
  return {
    known,
    async poll(began: number) {
      const last = polls.at(-1);
      const early = polls.filter((one) => last && one.began <= last.began - overlap);
      const after = Math.max(0, ...early.map(({ greatest }) => greatest));
      const { data } = await contacts
        .as(user)
        .events.find({ id: { $gt: after }, $sort: { id: 1 }, $limit: 1000 });
      for (const { id } of data) known.add(id);
      polls.push({ began, greatest: Math.max(0, ...known) });
    },
  };
}

/** Follows static lists by the time of their last change: each poll begins so long before the latest one that is known. */
function listFollower(user: ReturnType<typeof someone>, overlap: number) {
  const known = new Map<number, string>();
  return {
    known,
    async poll() {
      const times = [...known.values()].map((time) => Date.parse(time));
      const since = new Date(Math.max(overlap, ...times) - overlap).toISOString();
      const modified_at = overlap > 0 ? { $gte: since } : { $gt: since };
      const { data } = await contacts
        .as(user)
        .staticLists.find({ modified_at, $sort: { modified_at: 1 }, $limit: 1000 });
      for (const one of data) known.set(one.id, one.modified_at);
    },
  };
}

describe.each([
  ['with the overlap of the guide', overlapMs, true],
  ['without an overlap', 0, false],
])('a client that follows a list %s', (_, overlap, seesAll) => {
  it(`${seesAll ? 'sees' : 'may miss'} an event that is stored after one with a greater id`, async () => {
    const anna = someone();
    const { id: contact_id } = await contacts.as(anna).contacts.create({});
    const { id } = await contacts.as(anna).events.create({ contact_id, type: 'viewed' });
    const follower = eventFollower(anna, overlap);
    await follower.poll(0);

    const slow = await writing(copying('events', id));
    const quick = await writing(copying('events', id));
    expect(quick.id).toBeGreaterThan(slow.id);
    await quick.commit();
    await follower.poll(3_600_000);
    await slow.commit();
    await follower.poll(7_200_000);
    expect([quick.id, slow.id].map((one) => follower.known.has(one))).toEqual([true, seesAll]);
  });

  it(`${seesAll ? 'sees' : 'may miss'} a record that is stored after one that was changed later`, async () => {
    const anna = someone();
    const { id } = await contacts.as(anna).staticLists.create({ list_name: 'Buyers' });
    const at = (when: string) =>
      copying('static_lists', id, { list_name: `'${when}'`, modified_at: `now() + '${when}'` });
    const follower = listFollower(anna, overlap);
    const slow = await writing(at('1 second'));
    const quick = await writing(at('2 seconds'));
    await quick.commit();
    await follower.poll();
    await slow.commit();
    await follower.poll();
    expect([quick.id, slow.id].map((one) => follower.known.has(one))).toEqual([true, seesAll]);
  });
});
