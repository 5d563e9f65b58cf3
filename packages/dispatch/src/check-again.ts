import { isDeepStrictEqual } from 'node:util';
import type { DueRow } from './due-row.ts';
import { checkedMs } from './lease.ts';
import { planOf, wantedOf } from './planned-row.ts';
import type { Queue, Sendable } from './queue.ts';
import type { Monotonic } from './row-store.ts';
import type { Sending } from './sending.ts';

/**
 * Before an e-mail that waited for the mail server is sent, loads the facts and makes the final check again. Returns when it was
 * checked if it may still be sent: from the same sender to the same recipient, with the planned words. A reason against it is not
 * stored, because the next attempt will find it.
 */
export async function checkAgain<Due extends DueRow, Facts>(
  queue: Queue<Due, Facts>,
  { askAgain, store, context }: Pick<Sending<Due, Facts>, 'askAgain' | 'store' | 'context'>,
  row: Due,
  planned: Sendable,
): Promise<Monotonic | undefined> {
  try {
    const known = await askAgain(row);
    if (!known || 'because' in known) return undefined;
    const plan = planOf(queue, context, row, known.facts);
    if (!('send' in plan) || !isDeepStrictEqual(partiesOf(plan), partiesOf(planned))) return undefined;
    const verdict = await store.beginAgain({ ...wantedOf(row, plan), factsAt: known.at });
    const isChecked = verdict.is === 'begun' && performance.now() - verdict.checkedAt <= checkedMs;
    return isChecked ? verdict.checkedAt : undefined;
  } catch (error) {
    context.log.warn({ err: error, id: row.id }, 'an e-mail that had to wait could not be checked again');
    return undefined;
  }
}

function partiesOf({ send, user_id }: Sendable) {
  if (!('email' in send)) return send;
  const { from, to, reply_to } = send.email;
  return { user_id, from, to, reply_to };
}
