import { setTimeout as sleep } from 'node:timers/promises';
import type { Query } from '@crm/data';
import { doManyEventsWait } from './waiting-events.queries.ts';

/** How many events may wait for the broker. More would delay the events of others, which are sent after them. */
const mostWaiting = 5_000;
/** About as long as a portion takes on a machine that is not busy. An import goes on if the broker does not. */
const longestMs = 250;
const lookMs = 50;

/** Pauses while the broker is far behind, but not for long. Returns whether it still is. */
export async function restBehindEvents(query: Query): Promise<boolean> {
  for (const until = performance.now() + longestMs; performance.now() < until; await sleep(lookMs))
    if (!(await doManyEventsWait(query, mostWaiting))) return false;
  return true;
}
