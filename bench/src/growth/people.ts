import { contactsPerOwner, type Place, type Size } from '../seed/rows.ts';

/** Who asks, by the ids of their accounts. */
export const people = { agent: 1, sharee: 2, collector: 3, teamMember: 4 } as const;

export const teamSize = 50;
/** A contact of the agent is shared with so many, of whom one is the sharee. */
export const shareCount = 200;
const mostOfCollector = 500_000;
const mostOfTeam = 100_000;

const firstWithoutAccount = people.teamMember + teamSize;
/** Coprime with every size that ends with a zero, so that the contacts of an owner lie scattered among all. */
const stride = 7_919;

/**
 * The agent and the sharee have 2,000 contacts each, the collector half of all, but at most 500,000, and the team a fifth of
 * all, but at most 100,000. The others belong to owners without an account, each of whom has 2,000.
 */
export function growthSize(contacts: number): Size {
  const collected = Math.min(mostOfCollector, contacts / 2);
  const ofTeam = Math.min(mostOfTeam, contacts / 5);
  const rest = contacts - collected - ofTeam - 2 * contactsPerOwner;
  const others = Math.max(1, Math.ceil(rest / contactsPerOwner));
  const ranges: readonly (readonly [number, (at: number) => Place])[] = [
    [contactsPerOwner, (nth) => ({ owner: people.agent, nth })],
    [contactsPerOwner, (nth) => ({ owner: people.sharee, nth })],
    [collected, (nth) => ({ owner: people.collector, nth })],
    [ofTeam, (at) => ({ owner: people.teamMember + (at % teamSize), nth: Math.floor(at / teamSize) })],
    [rest, (at) => ({ owner: firstWithoutAccount + (at % others), nth: Math.floor(at / others) })],
  ];
  const place = (id: number): Place => {
    let at = (id * stride) % contacts;
    for (const [count, placeAt] of ranges) {
      if (at < count) return placeAt(at);
      at -= count;
    }
    throw new Error(`There is no contact ${id} among ${contacts}.`);
  };
  return { contacts, owners: firstWithoutAccount - 1 + others, place };
}
