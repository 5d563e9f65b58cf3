import { dueIn, refusalIn, repeatAfterCommits, resume, type Worker, type WorkerContext } from '@crm/service';
import { crashPoint } from './crash-point.ts';
import { enrol } from './enrol.ts';
import { attemptsToCome, type LeasedEnrolment, leaseWaiting, postpone } from './enrolment.queries.ts';

const everyMs = 500;
const batchSize = 20;

/** Schedules contacts that could not be scheduled when they were added. Any number of instances may run. */
export const enrolWaitingWorker: Worker = async (workerContext) =>
  repeatAfterCommits(
    'schedule contacts in campaigns',
    everyMs,
    async () => {
      await enrolWaiting(workerContext);
      return dueIn(workerContext.database.query, attemptsToCome);
    },
    workerContext,
  );

/** Continues until nothing is due or a whole batch fails. */
export async function enrolWaiting(workerContext: WorkerContext): Promise<void> {
  const { query } = workerContext.database;
  for (;;) {
    const leased = await leaseWaiting(query, batchSize);
    await crashPoint('leased');
    const done = await Promise.all(leased.map((enrolment) => enrolLeased(workerContext, enrolment)));
    if (leased.length < batchSize || !done.includes(true)) return;
  }
}

async function enrolLeased(
  { database, peers, clock, log }: WorkerContext,
  enrolment: LeasedEnrolment,
): Promise<boolean> {
  const { query } = database;
  try {
    await resume('schedule contact', enrolment, (requestId) =>
      enrol({ query, peers, now: clock, requestId }, enrolment),
    );
    return true;
  } catch (error) {
    const { id, attempts } = enrolment;
    log.warn({ err: error, campaign_contact: id }, 'a contact in a campaign could not be scheduled yet');
    await postpone(query, enrolment, pauseAfter(error, attempts));
    return false;
  }
}

/** In seconds. An unavailable service is usually back soon; a fault takes longer to fix. */
function pauseAfter(error: unknown, attempts: number): number {
  const longest = refusalIn(error)?.name === 'Unavailable' ? 4 : 300;
  return Math.min(2 ** (attempts - 1), longest);
}
