import { someone } from '@crm/testing';
import fc from 'fast-check';
import ICAL from 'ical.js';
import { afterAll, describe, expect, it } from 'vitest';
import { schedulingUnderTest } from '../../test/harness.ts';
import { extendSeries } from '../task-series/extend-series.ts';
import { calendarOf } from './calendar-of.ts';
import { readCalendar } from './read-calendar.ts';

const time = { now: new Date('2026-03-02T12:00:00Z') };
const scheduling = await schedulingUnderTest({ clock: () => time.now });
afterAll(scheduling.close);

interface Shown {
  readonly sequence: number;
  /** The values whose change makes a new revision. */
  readonly text: string;
}

/** A recurring task of a new user, with functions that read it from the user's calendar and change it. */
async function series() {
  const anna = someone();
  const api = scheduling.as(anna).scheduledTasks;
  await api.create({
    assigned_user_id: anna.id,
    due_at: '2026-03-02T09:00:00',
    description: 'Call',
    status: 'incomplete',
    recurrence_rule: 'FREQ=DAILY;COUNT=800',
  });

  const shown = async (): Promise<Map<string, Shown>> => {
    const text = calendarOf(await readCalendar(scheduling.database.query, anna), 2026);
    const components = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent');
    return new Map(
      components.map((one) => {
        const sequence = Number(one.getFirstPropertyValue('sequence'));
        const key = `${one.getFirstPropertyValue('uid')} ${one.getFirstPropertyValue('recurrence-id') ?? ''}`;
        for (const name of ['sequence', 'dtstamp', 'last-modified']) one.removeAllProperties(name);
        return [key, { sequence, text: one.toString() }];
      }),
    );
  };
  const at = async (index: number) => {
    const { data } = await api.find({ $limit: 10, $sort: { due_at: 1 }, status: 'incomplete' });
    const task = data[index % data.length];
    if (!task) throw new Error('No occurrence is left.');
    return task;
  };
  const put = async (index: number, changes: object) => {
    const task = await at(index);
    return api.patch({ ...task, assigned_user_id: anna.id, due_at: task.due_at ?? '', ...changes });
  };
  const remove = async (index: number) => api.remove({ id: (await at(index)).id });
  return { shown, put, remove };
}

type Series = Awaited<ReturnType<typeof series>>;

const changes: Readonly<Record<string, (one: Series, index: number) => Promise<unknown>>> = {
  'is described anew': ({ put }, index) => put(index, { description: `Call ${index}` }),
  'is described as the others': ({ put }, index) => put(index, { description: 'Call' }),
  'gets another time': ({ put }, index) => put(index, { due_at: `2026-03-${20 + index}T10:00:00` }),
  'is complete': ({ put }, index) => put(index, { status: 'complete', update_type: 3 }),
  'is removed': ({ remove }, index) => remove(index),
  'stands alone': ({ put }, index) => put(index, { recurrence_rule: '' }),
};

describe('the sequence of a recurring task in a calendar', () => {
  it('increases when an occurrence with many changes is removed', async () => {
    const { shown, put, remove } = await series();
    for (const description of ['A', 'B', 'C']) await put(0, { description });
    const [before] = (await shown()).values();
    await remove(0);
    const [after] = (await shown()).values();
    expect(after?.sequence).toBeGreaterThan(before?.sequence ?? 0);
  });

  it('increases with each change that is shown, and never decreases', async () => {
    const change = fc.record({ what: fc.constantFrom(...Object.keys(changes)), index: fc.nat({ max: 4 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 3, maxLength: 8 }), async (steps) => {
        const one = await series();
        const last = await one.shown();
        for (const { what, index } of steps) {
          await changes[what]?.(one, index);
          for (const [key, now] of await one.shown()) {
            const before = last.get(key);
            if (before && before.text !== now.text)
              expect(now.sequence, what).toBeGreaterThan(before.sequence);
            if (before) expect(now.sequence, what).toBeGreaterThanOrEqual(before.sequence);
            last.set(key, now);
          }
        }
      }),
      { numRuns: 10 },
    );
  });

  it('does not decrease when further occurrences are created', async () => {
    const { shown, remove } = await series();
    await remove(1);
    const [before] = (await shown()).values();
    time.now = new Date('2026-03-09T12:00:00Z');
    await extendSeries(scheduling.workerContext);
    const [after] = (await shown()).values();
    expect(after?.sequence).toBeGreaterThanOrEqual(before?.sequence ?? 0);
  });
});
