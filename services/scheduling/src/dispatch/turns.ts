import type { CommunicationType } from '../communications/communication-type.api.ts';
import type { Share } from './communication-dispatch.queries.ts';

type Free = Readonly<Partial<Record<CommunicationType, number>>>;

/** How long it is believed who has something to be sent: nobody new waits longer for a turn to begin. */
const believedMs = 1_000;

/**
 * Lets those who have something to be sent take turns, so that nobody waits for somebody else's thousands. `look` tells
 * who they are; that is asked again when it is old, or when a turn brought less than it had room for.
 */
export function takingTurns(look: () => Promise<readonly Omit<Share, 'most'>[]>) {
  let senders: readonly Omit<Share, 'most'>[] = [];
  let lookedAt = Number.NEGATIVE_INFINITY;
  const last = new Map<CommunicationType, number>();

  return {
    async next(free: Free): Promise<readonly Share[]> {
      const now = performance.now();
      if (senders.length === 0 || now - lookedAt > believedMs) {
        senders = await look();
        lookedAt = now;
      }
      const lanes = Object.entries(free) as [CommunicationType, number][];
      return lanes.flatMap(([type, room]) => {
        const due = senders.filter((sender) => sender.type === type).map((one) => one.send_from_user_id);
        const shares = sharesOf(due, room, last.get(type) ?? 0);
        const latest = shares.at(-1);
        if (latest) last.set(type, latest.send_from_user_id);
        return shares.map((share) => ({ type, ...share }));
      });
    },
    /** What is known of who has something is old: not all that was to be had was there. */
    forget(): void {
      lookedAt = Number.NEGATIVE_INFINITY;
    },
  };
}

/** Shares of some room: as many senders as it is for, from the one after the last on, each with as much as any other. */
export function sharesOf(senders: readonly number[], room: number, last: number): Omit<Share, 'type'>[] {
  if (room < 1 || senders.length === 0) return [];
  const inOrder = senders.toSorted((a, b) => a - b);
  const turned = [...inOrder.filter((id) => id > last), ...inOrder.filter((id) => id <= last)];
  const count = Math.min(turned.length, room);
  return turned.slice(0, count).map((send_from_user_id, place) => ({
    send_from_user_id,
    most: Math.floor((room - place - 1) / count) + 1,
  }));
}
