import type { OwnerDue } from './owners-due.queries.ts';
import type { Free, Share, Sharing } from './queue.ts';

/** How long the list of owners is used: a new owner waits no longer than this for a slot. */
const freshMs = 250;

/**
 * Shares free slots equally among owners, so that nobody waits for thousands of messages of somebody else. `findOwners` finds the
 * owners of due rows. It is called again when its result is old, or when fewer rows were found than there were slots for.
 */
export function shareSlots(findOwners: () => Promise<readonly OwnerDue[]>): Sharing {
  let owners: readonly OwnerDue[] = [];
  let foundAt = Number.NEGATIVE_INFINITY;
  const last = new Map<string, number>();

  return {
    async next(free: Free) {
      const now = performance.now();
      if (owners.length === 0 || now - foundAt > freshMs) {
        owners = await findOwners();
        foundAt = now;
      }
      return Object.entries(free).flatMap(([lane, slots]) => {
        const due = owners.filter((one) => one.lane === lane).map(({ owner }) => owner);
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

/** Equal shares of some slots, for at most as many owners as there are slots, starting after the owner served last. */
export function sharesOf(
  owners: readonly number[],
  slots: number,
  last: number,
): Required<Omit<Share, 'lane'>>[] {
  if (slots < 1 || owners.length === 0) return [];
  const inOrder = owners.toSorted((a, b) => a - b);
  const turned = [...inOrder.filter((id) => id > last), ...inOrder.filter((id) => id <= last)];
  const count = Math.min(turned.length, slots);
  return turned.slice(0, count).map((owner, index) => ({
    owner,
    max: Math.floor((slots - index - 1) / count) + 1,
  }));
}
