import { digestOf } from '@crm/delivery';
import type { WorkerContext } from '@crm/service';
import type { DueRow } from './due-row.ts';
import type { Message, Plan, Queue, Sendable } from './queue.ts';
import { again, type Settlement } from './settlement.ts';
import { unfit } from './unfit-rows.queries.ts';

/** Decides whether and when a row is tried again. */
export const attemptOf = (
  { isNeverTooLate }: Pick<Queue, 'isNeverTooLate'>,
  { attempts, seconds_late }: DueRow,
) => ({ attempts, seconds_late: isNeverTooLate ? 0 : seconds_late });

/** A row that cannot be prepared waits with the reason, and does not block others. */
export function planOf<Due extends DueRow, Facts>(
  queue: Queue<Due, Facts>,
  context: WorkerContext,
  row: Due,
  facts: Facts,
): Plan | Settlement {
  try {
    return queue.plan(row, facts, context);
  } catch (error) {
    context.log.error({ err: error, id: row.id }, `one of the ${queue.what} cannot be prepared, and waits`);
    return again(attemptOf(queue, row), `${unfit}: ${error}`);
  }
}

export function destinationOf(message: Message) {
  if ('email' in message) return { sent_to: message.email.to.address };
  if ('call' in message) return { sent_to: message.call.to };
  return { sent_to: message.text.to, sent_digest: digestOf(message.text.text) };
}

/** The input of the final check. */
export const wantedOf = ({ id, attempts }: DueRow, { send, user_id, about }: Sendable) => ({
  id,
  attempts,
  ...destinationOf(send),
  ...(user_id && { user_id }),
  ...(about && { about }),
});
