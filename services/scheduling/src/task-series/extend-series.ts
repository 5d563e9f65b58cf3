import { system } from '@crm/auth';
import { type Database, emFor, queryIn } from '@crm/data';
import { taskSeriesChanged } from '@crm/events';
import { dateOf } from '@crm/recurrence';
import {
  type Logger,
  publish,
  refusalIn,
  repeat,
  resume,
  systemContext,
  type TransactionContext,
  type Worker,
  type WorkerContext,
} from '@crm/service';
import { seriesEventData } from '../tasks/task-event-data.ts';
import { TaskSeries } from '../tasks/task-series.entity.ts';
import { planOccurrences } from './plan-occurrences.ts';
import { recurrenceOf } from './recurrence.ts';
import { occurrenceRow } from './start-series.ts';
import { addOccurrences, countOccurrences, lockDueSeries, postponeSeries } from './task-series.queries.ts';

const everyMs = 60_000;

type Work = Pick<WorkerContext, 'database' | 'clock' | 'log'>;

/** Creates the occurrences that are within the horizon, of one series in each transaction, until no series is due. */
export async function extendSeries({ database, clock, log }: Work): Promise<void> {
  while (await extendNext(database, clock(), log));
}

export const extendSeriesWorker: Worker = async (context) =>
  repeat('extend series of tasks', everyMs, () => extendSeries(context), context.log);

/** A series that cannot be extended is postponed, and does not block others. */
async function extendNext({ orm, query }: Database, now: Date, log: Logger): Promise<boolean> {
  let series: number | undefined;
  const note = (id: number) => {
    series = id;
  };
  try {
    return await extendOne(orm, now, note);
  } catch (error) {
    if (series === undefined || refusalIn(error)) throw error;
    log.error({ err: error, series }, 'a recurring task cannot be extended, and is postponed');
    await postponeSeries(query, series, now, String(error));
    return true;
  }
}

async function extendOne(orm: Database['orm'], now: Date, note: (id: number) => void): Promise<boolean> {
  return emFor(orm, system).transactional(async (em) => {
    const query = queryIn(em);
    const id = await lockDueSeries(query, now);
    if (id === undefined) return false;
    note(id);
    const series = await em.findOneOrFail(TaskSeries, id);
    await resume('extend series', series, (requestId) =>
      addComing(systemContext(em, requestId, now), series),
    );
    return true;
  });
}

/** Creates the occurrences of a locked series that are within the horizon, and plans the next time. */
async function addComing(ctx: TransactionContext, series: TaskSeries): Promise<void> {
  const { em, query, now } = ctx;
  const { id } = series;
  const recurrence = recurrenceOf(series);
  if (!recurrence) throw new Error(`Scheduled event ${id} is due to be extended and is not a series.`);
  const { open } = await countOccurrences(query, id);
  const { added, nextIndex, extendAt } = planOccurrences(
    recurrence,
    series.next_index ?? 0,
    open,
    now().toTemporalInstant(),
  );
  await addOccurrences(query, [{ series: id, occurrences: added.map(occurrenceRow) }], now());
  em.assign(series, { next_index: nextIndex, extend_at: extendAt && dateOf(extendAt), problem: null });
  await em.flush();
  if (added.length > 0) publish(ctx, taskSeriesChanged, series, seriesEventData(series));
}
