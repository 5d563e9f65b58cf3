import { randomUUID } from 'node:crypto';
import { refusalIn, repeat, type Worker, type WorkerContext } from '@crm/service';
import { enrol } from './enrol.ts';
import { putOff, type Taken, takeWaiting } from './enrolment.queries.ts';
import { fault } from './fault.ts';

const everyMs = 500;
const atOnce = 20;

/** Completes what could not be scheduled when it was asked for. Any number of instances may run. */
export const enrolWaitingWorker: Worker = async (workerContext) =>
  repeat('schedule contacts in campaigns', everyMs, () => enrolWaiting(workerContext), workerContext.log);

/** Goes on until nothing is due, or nothing succeeds any more. */
export async function enrolWaiting(workerContext: WorkerContext): Promise<void> {
  const { query } = workerContext.database;
  for (;;) {
    const taken = await takeWaiting(query, atOnce);
    await fault('taken');
    const done = await Promise.all(taken.map((one) => enrolOne(workerContext, one)));
    if (taken.length < atOnce || !done.includes(true)) return;
  }
}

async function enrolOne({ database, peers, clock, log }: WorkerContext, taken: Taken): Promise<boolean> {
  const { query } = database;
  try {
    await enrol({ query, peers, now: clock, requestId: randomUUID() }, taken);
    return true;
  } catch (error) {
    log.warn({ err: error, campaign_contact: taken.id }, 'a contact in a campaign waits to be scheduled');
    await putOff(query, taken, pauseAfter(error, taken.attempts));
    return false;
  }
}

/** Seconds. Who is away is soon back, and then nobody should wait for long; a fault takes somebody to mend it. */
function pauseAfter(error: unknown, attempts: number): number {
  const most = refusalIn(error)?.name === 'Unavailable' ? 4 : 300;
  return Math.min(2 ** (attempts - 1), most);
}
