import type { Free, Share, Sharing } from '@crm/dispatch';
import type { CommunicationType } from '../communications/communication-type.api.ts';
import type { SenderDue } from './senders-due.queries.ts';

/** For how long the list of senders is used: a new sender waits no longer than this for a turn. */
const freshMs = 250;

/**
 * Shares the free slots among senders in turns, so that nobody waits for the thousands of messages of somebody else.
 * `look` finds the senders who have something to be sent; it is called again when its answer is old, or when a turn found
 * less than there were slots for.
 */
export function takeTurns(look: () => Promise<readonly SenderDue[]>): Sharing<CommunicationType> {
  let senders: readonly SenderDue[] = [];
  let lookedAt = Number.NEGATIVE_INFINITY;
  const last = new Map<CommunicationType, number>();

  return {
    async next(free: Free<CommunicationType>) {
      const now = performance.now();
      if (senders.length === 0 || now - lookedAt > freshMs) {
        senders = await look();
        lookedAt = now;
      }
      const lanes = Object.entries(free) as [CommunicationType, number][];
      return lanes.flatMap(([lane, room]) => {
        const due = senders.filter((sender) => sender.type === lane).map((one) => one.send_from_user_id);
        const shares = sharesOf(due, room, last.get(lane) ?? 0);
        const latest = shares.at(-1);
        if (latest) last.set(lane, latest.owner);
        return shares.map((share) => ({ lane, ...share }));
      });
    },
    /** Makes the next turn look again, because this one found less than expected. */
    forget(): void {
      lookedAt = Number.NEGATIVE_INFINITY;
    },
  };
}

/** Equal shares of some slots: for as many senders as there are slots for, from the one after the last on. */
export function sharesOf(
  senders: readonly number[],
  room: number,
  last: number,
): Required<Omit<Share, 'lane'>>[] {
  if (room < 1 || senders.length === 0) return [];
  const inOrder = senders.toSorted((a, b) => a - b);
  const turned = [...inOrder.filter((id) => id > last), ...inOrder.filter((id) => id <= last)];
  const count = Math.min(turned.length, room);
  return turned.slice(0, count).map((owner, index) => ({
    owner,
    max: Math.floor((room - index - 1) / count) + 1,
  }));
}
