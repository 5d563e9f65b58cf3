import type { User } from '@crm/auth';
import { someone } from '@crm/testing';
import type { PoolClient } from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { schedulingUnderTest } from '../../test/harness.ts';
import { openTasksOf } from './calendar.queries.ts';
import { readCalendar } from './read-calendar.ts';

const scheduling = await schedulingUnderTest({ clock: () => new Date('2026-03-02T12:00:00Z') });
afterAll(scheduling.close);
const { rows } = scheduling;
const { query, pool } = scheduling.database;

async function scheduledEventOf(task: number): Promise<number> {
  const [row] = await rows('select scheduled_event_id from tasks where id = $1', [task]);
  return Number(row?.scheduled_event_id);
}

/** Adds a recurring task, and returns the id of its series. */
async function addSeries(anna: User): Promise<number> {
  const { id } = await scheduling.as(anna).scheduledTasks.create({
    assigned_user_id: anna.id,
    due_at: '2026-03-02T09:00:00',
    description: 'Call',
    status: 'incomplete',
    recurrence_rule: 'FREQ=DAILY',
  });
  return scheduledEventOf(id);
}

/** Adds a single task, and returns the id of its scheduled event. */
async function addTask(anna: User): Promise<number> {
  const draft = { action_type: 'None', description: 'Call', status: 'incomplete' } as const;
  const { id } = await scheduling.as(anna).tasks.create(draft);
  return scheduledEventOf(id);
}

/** How often a series was changed, and when last, according to a user's calendar. */
async function shownOf(user: User, id: number) {
  const { series } = await readCalendar(query, user);
  const one = series.find((shown) => shown.id === id);
  if (!one) throw new Error(`Series ${id} is not shown.`);
  const { version, modified_at } = one.defaults;
  return { version, modified: modified_at.epochMilliseconds };
}

async function inTransaction<Result>(act: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await act(client);
    await client.query('commit');
    return result;
  } finally {
    client.release(true);
  }
}

/** How many series rows a statement writes. The statistics include earlier transactions of the session. */
const writesOf = (text: string, values: readonly unknown[]) =>
  inTransaction(async (client) => {
    const counted = async () => {
      const { rows } = await client.query<{ count: number }>(
        `select n_tup_upd::int as count from pg_stat_xact_user_tables where relid = 'task_series'::regclass`,
      );
      return rows[0]?.count ?? 0;
    };
    const before = await counted();
    await client.query(text, [...values]);
    return (await counted()) - before;
  });

describe('the changes of a series', () => {
  it('are written once for all occurrences that a statement moves', async () => {
    const anna = someone();
    const [from, to] = [await addSeries(anna), await addSeries(anna)];
    const [before, beforeThere] = [await shownOf(anna, from), await shownOf(anna, to)];
    const move = `update tasks set scheduled_event_id = $2, occurrence_index = occurrence_index + 1000, version = version + 1
      where scheduled_event_id = $1 and occurrence_index in (1, 2, 3)`;
    expect(await writesOf(move, [from, to])).toBe(2);
    expect((await shownOf(anna, from)).version).toBe(before.version + 3);
    expect((await shownOf(anna, to)).version).toBeGreaterThanOrEqual(beforeThere.version + 3);
  });

  it('are written once for all occurrences that a statement changes or removes', async () => {
    const anna = someone();
    const id = await addSeries(anna);
    const { version } = await shownOf(anna, id);
    const change = 'update tasks set version = version + 1, notes = $2 where scheduled_event_id = $1';
    const existing = await rows('select from tasks where scheduled_event_id = $1', [id]);
    const count = existing.length;
    expect(await writesOf(change, [id, 'Ask for Ann'])).toBe(1);
    expect((await shownOf(anna, id)).version).toBe(version + count);
    const remove = 'delete from tasks where scheduled_event_id = $1 and occurrence_index >= $2';
    expect(await writesOf(remove, [id, count - 3])).toBe(1);
    expect((await shownOf(anna, id)).version).toBe(version + count + 3);
  });

  it('are not written for changes that no calendar shows, nor for single tasks', async () => {
    const anna = someone();
    const id = await addSeries(anna);
    const alone = await addTask(anna);
    expect(await writesOf('update tasks set reminded_of = due_at where scheduled_event_id = $1', [id])).toBe(
      0,
    );
    expect(
      await writesOf('update tasks set version = version + 1 where scheduled_event_id = $1', [alone]),
    ).toBe(0);
    expect(await writesOf('delete from tasks where scheduled_event_id = $1', [alone])).toBe(0);
  });

  it('have the time of the last removal of an occurrence, and never an earlier one than before', async () => {
    const anna = someone();
    const id = await addSeries(anna);
    await rows(
      `update tasks set version = version + 1, modified_at = modified_at + interval '5 minutes'
       where scheduled_event_id = $1 and occurrence_index = 1`,
      [id],
    );
    const before = await shownOf(anna, id);
    await rows('delete from tasks where scheduled_event_id = $1 and occurrence_index = 1', [id]);
    expect((await shownOf(anna, id)).modified).toBeGreaterThan(before.modified);
  });
});

interface Node {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly Node[];
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

it('a calendar reads only the occurrences that it shows, and one row per series', async () => {
  const anna = someone();
  const ids = [await addSeries(anna), await addSeries(anna)];
  await rows(
    `update tasks set status = 'complete', completed_at = now(), completing_user_id = owner_user_id, version = version + 1
     where scheduled_event_id = any($1) and occurrence_index > 2`,
    [ids],
  );
  const plans: Node[] = [];
  await openTasksOf(async (text, values) => {
    await inTransaction(async (client) => {
      await client.query('set local enable_seqscan = off');
      const { rows: explained } = await client.query(`explain (analyze, format json) ${text}`, [...values]);
      plans.push(explained[0]['QUERY PLAN'][0].Plan);
    });
    return [];
  }, anna);
  const readOf = (table: string) =>
    plans
      .flatMap(nodesOf)
      .filter((node) => node['Relation Name'] === table)
      .reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0);
  expect(readOf('tasks')).toBe(6);
  expect(readOf('task_series')).toBeLessThanOrEqual(6);
  const compared = plans.flatMap(nodesOf).map((node) => node['Rows Removed by Join Filter'] ?? 0);
  expect(Math.max(...compared)).toBe(0);
});
