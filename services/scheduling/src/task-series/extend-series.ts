import { randomUUID } from 'node:crypto';
import { system } from '@crm/auth';
import { type Database, emFor, queryIn } from '@crm/data';
import { taskSeriesChanged } from '@crm/events';
import { type Clock, publish, repeat, type Worker } from '@crm/service';
import { seriesEventData } from '../tasks/task-event-data.ts';
import { TaskSeries } from '../tasks/task-series.entity.ts';
import { planOccurrences } from './plan-occurrences.ts';
import { recurrenceOf } from './recurrence.ts';
import { dateOf, instantOfDate, occurrenceRow } from './start-series.ts';
import { addOccurrences, countOccurrences, lockDueSeries } from './task-series.queries.ts';

const everyMs = 60_000;

/** Creates the occurrences that have come into view, of one series in each transaction, until no series is due. */
export async function extendSeries({ orm }: Pick<Database, 'orm'>, clock: Clock): Promise<void> {
  while (await extendOne(orm, clock()));
}

export const extendSeriesWorker: Worker = async ({ database, clock, log }) =>
  repeat('extend series of tasks', everyMs, () => extendSeries(database, clock), log);

async function extendOne(orm: Database['orm'], now: Date): Promise<boolean> {
  return emFor(orm, system).transactional(async (em) => {
    const query = queryIn(em);
    const id = await lockDueSeries(query, now);
    if (id === undefined) return false;
    const series = await em.findOneOrFail(TaskSeries, id);
    const recurrence = recurrenceOf(series);
    if (!recurrence) throw new Error(`Scheduled event ${id} is due to be extended and is not a series.`);
    const { open } = await countOccurrences(query, id);
    const { added, nextIndex, extendAt } = planOccurrences(
      recurrence,
      series.next_index ?? 0,
      open,
      instantOfDate(now),
    );
    await addOccurrences(query, [{ series: id, occurrences: added.map(occurrenceRow) }], now);
    em.assign(series, { next_index: nextIndex, extend_at: extendAt && dateOf(extendAt) });
    await em.flush();
    if (added.length === 0) return true;
    const origin = { em, actor: system, requestId: randomUUID(), now: () => now };
    publish(origin, taskSeriesChanged, series, seriesEventData(series));
    return true;
  });
}
