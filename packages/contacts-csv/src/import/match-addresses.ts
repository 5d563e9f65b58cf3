import type { Contact } from '../format.ts';
import type { ReadyRow } from './read-row.ts';

/**
 * An address of a row changes the contact's address of the same type, or else with the same number; if there is none, it is
 * added.
 */
export function matchAddresses(stored: Contact['addresses'], { addresses, draft }: ReadyRow) {
  const taken = new Set<number>();
  return (draft.addresses ?? []).map((address, index) => {
    const free = (one: Contact['addresses'][number] | undefined) => one && !taken.has(one.id);
    const sameType = stored.find((one) => free(one) && one.type === address.type);
    const sameNumber = stored[(addresses[index]?.n ?? 0) - 1];
    const existing = sameType ?? (free(sameNumber) ? sameNumber : undefined);
    if (existing === undefined) return address;
    taken.add(existing.id);
    return { ...address, id: existing.id };
  });
}
