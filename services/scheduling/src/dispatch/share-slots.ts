import type { Free, Share, Sharing } from '@crm/dispatch';
import type { CommunicationType } from '../communications/communication-type.api.ts';
import type { SenderDue } from './senders-due.queries.ts';

/** For how long the list of senders is used: a new sender waits no longer than this for a slot. */
const freshMs = 250;

/**
 * Shares the free slots equally among senders, so that nobody waits for the thousands of messages of somebody else.
 * `findSenders` finds the senders who have something to be sent. It is called again when its result is old, or when fewer rows
 * were found than there were slots for.
 */
export function shareSlots(findSenders: () => Promise<readonly SenderDue[]>): Sharing<CommunicationType> {
  let senders: readonly SenderDue[] = [];
  let foundAt = Number.NEGATIVE_INFINITY;
  const last = new Map<CommunicationType, number>();

  return {
    async next(free: Free<CommunicationType>) {
      const now = performance.now();
      if (senders.length === 0 || now - foundAt > freshMs) {
        senders = await findSenders();
        foundAt = now;
      }
      const lanes = Object.entries(free) as [CommunicationType, number][];
      return lanes.flatMap(([lane, slots]) => {
        const due = senders.filter((sender) => sender.type === lane).map((one) => one.send_from_user_id);
        const shares = sharesOf(due, slots, last.get(lane) ?? 0);
        const latest = shares.at(-1);
        if (latest) last.set(lane, latest.owner);
        return shares.map((share) => ({ lane, ...share }));
      });
    },
    forget(): void {
      foundAt = Number.NEGATIVE_INFINITY;
    },
  };
}

/** Equal shares of some slots: for as many senders as there are slots for, from the one after the last on. */
export function sharesOf(
  senders: readonly number[],
  slots: number,
  last: number,
): Required<Omit<Share, 'lane'>>[] {
  if (slots < 1 || senders.length === 0) return [];
  const inOrder = senders.toSorted((a, b) => a - b);
  const turned = [...inOrder.filter((id) => id > last), ...inOrder.filter((id) => id <= last)];
  const count = Math.min(turned.length, slots);
  return turned.slice(0, count).map((owner, index) => ({
    owner,
    max: Math.floor((slots - index - 1) / count) + 1,
  }));
}
