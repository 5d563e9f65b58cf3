import type { Delivery, Outcome } from '@crm/delivery';
import { isCollision } from '@crm/service';
import { fault } from './fault.ts';
import type { DueRow, Message, Plan, Queue } from './queue.ts';
import type { RowStore } from './row-store.ts';
import { again, type Settlement, settlementOf, storedOutcome } from './settlement.ts';

export interface Sending {
  readonly store: Pick<RowStore, 'begin' | 'settle'>;
  readonly send: Delivery;
  /** Whether the carrier recognises a text or call that is sent again. */
  readonly honoursKeys: boolean;
}

/** Does what is planned for one leased row, and stores the outcome. */
export async function sendRow<Lane extends string, Row extends DueRow, Facts, Settled>(
  { name, table }: Queue<Lane, Row, Facts, Settled>,
  { store, send, honoursKeys }: Sending,
  row: Row,
  plan: Plan,
): Promise<void> {
  const settle = (settlement: Settlement) => store.settle(storedOutcome(table, row, settlement));
  if ('state' in plan) return settle(plan);
  if ('run' in plan) {
    return plan.run().catch((error: unknown) => {
      if (!isCollision(error)) throw error;
      return settle(again(row, 'Somebody else was changing the same records.'));
    });
  }
  const { id, attempts } = row;
  const { user_id, remark = null } = plan;
  const verdict = await store.begin({
    id,
    attempts,
    sent_to: destinationOf(plan.send),
    ...(user_id && { user_id }),
  });
  if (verdict?.is === 'stopped') {
    const { state, reason } = verdict;
    return settle(state === 'Waiting' ? { state, reason, seconds: 1 } : { state, reason });
  }
  if (verdict?.is !== 'begun') return;
  await fault(`${name}.begun`);
  const outcome = await hand(send, row.key, plan.send);
  await fault(`${name}.sent`);
  const settlement = settlementOf(outcome, row, 'email' in plan.send || honoursKeys);
  await settle(settlement.state === 'Sent' ? { ...settlement, reason: remark } : settlement);
}

function destinationOf(message: Message): string {
  if ('email' in message) return message.email.to.address;
  return 'text' in message ? message.text.to : message.call.to;
}

function hand(send: Delivery, key: string, message: Message): Promise<Outcome> {
  if ('email' in message) return send.email({ key, ...message.email });
  if ('text' in message) return send.text({ key, ...message.text });
  return send.call({ key, ...message.call });
}
