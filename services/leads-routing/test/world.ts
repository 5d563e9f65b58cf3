import type { User } from '@crm/auth';
import { type Relations, relatedPeople } from '@crm/testing';
import fc from 'fast-check';

/** Random relations between people, and between people and leads. Numbers are indexes into the list of people. */
export interface World extends Relations {
  readonly leads: readonly DrawnLead[];
}

export interface DrawnLead {
  readonly creator: number;
  /** The owner of the contact; null when the contact does not exist. */
  readonly contactOwner: number | null;
  readonly assignee: number | null;
  readonly claimer: number | null;
  readonly offers: readonly DrawnOffer[];
}

interface DrawnOffer {
  readonly user: number;
  readonly isDue: boolean;
  /** Open, or why not: the user declined it, is no longer offered leads of the team, or left the team. */
  readonly state: 'open' | 'declined' | 'withdrawn' | 'left';
}

const population = 7;
const person = fc.nat(population - 1);
const nobodyOr = fc.option(person);

export const worlds: fc.Arbitrary<World> = fc.record({
  teams: fc.array(
    fc.record({ members: fc.uniqueArray(person, { minLength: 2, maxLength: 4 }), sharing: fc.boolean() }),
    { maxLength: 3 },
  ),
  subAccounts: fc.uniqueArray(
    fc.record({
      broker: fc.constant(0),
      user: fc.integer({ min: 1, max: population - 1 }),
      usesContacts: fc.boolean(),
    }),
    { selector: ({ user }) => user, maxLength: 3 },
  ),
  leads: fc.array(
    fc.record({
      creator: person,
      contactOwner: nobodyOr,
      assignee: nobodyOr,
      claimer: nobodyOr,
      offers: fc.uniqueArray(
        fc.record({
          user: person,
          isDue: fc.boolean(),
          state: fc.constantFrom('open', 'declined', 'withdrawn', 'left'),
        }),
        {
          selector: ({ user }) => user,
          maxLength: 3,
        },
      ),
    }),
    { minLength: 3, maxLength: 10 },
  ),
});

const plain: DrawnLead = { creator: 1, contactOwner: null, assignee: null, claimer: null, offers: [] };

/** A world with one lead for each reason to see it, and for each near miss. */
export const everyReason: World = {
  teams: [
    { members: [1, 2], sharing: true },
    { members: [3, 4], sharing: false },
  ],
  subAccounts: [
    { broker: 0, user: 5, usesContacts: true },
    { broker: 0, user: 6, usesContacts: false },
  ],
  leads: [
    plain,
    { ...plain, assignee: 3 },
    { ...plain, claimer: 4 },
    { ...plain, contactOwner: 1 },
    { ...plain, contactOwner: 2 },
    { ...plain, contactOwner: 3 },
    { ...plain, creator: 3, contactOwner: 4 },
    { ...plain, creator: 5, contactOwner: 0 },
    { ...plain, creator: 6, contactOwner: 0 },
    { ...plain, creator: 0, contactOwner: 5 },
    { ...plain, offers: [{ user: 4, isDue: true, state: 'open' }] },
    { ...plain, offers: [{ user: 4, isDue: true, state: 'declined' }] },
    { ...plain, offers: [{ user: 4, isDue: true, state: 'withdrawn' }] },
    { ...plain, offers: [{ user: 4, isDue: true, state: 'left' }] },
    { ...plain, offers: [{ user: 4, isDue: false, state: 'open' }] },
    { ...plain, contactOwner: 1, offers: [{ user: 4, isDue: true, state: 'open' }] },
    { ...plain, contactOwner: 1, claimer: 4, offers: [{ user: 4, isDue: true, state: 'left' }] },
  ],
};

/** The people of a world, as identity would describe them. */
export const peopleOf = (world: World): User[] => relatedPeople(world, population);

/** Returns true if a person sees a lead: the rule of the policy, implemented independently. */
export function isSeen(world: World, place: number, lead: DrawnLead): boolean {
  const { creator, contactOwner, assignee, claimer, offers } = lead;
  if ([creator, assignee, claimer].includes(place)) return true;
  if (contactOwner === place && sawContact(world, creator, contactOwner)) return true;
  return isOffered(place, offers);
}

const isOffered = (place: number, offers: readonly DrawnOffer[]) =>
  offers.some(({ user, isDue, state }) => user === place && isDue && state === 'open');

/**
 * Returns true if a person who sees a lead sees the name of its contact. An offer would show it while the creator of
 * the lead sees the contact, but the creators in a world have no accounts and therefore see nothing.
 */
export function isNamed(world: World, place: number, { creator, contactOwner }: DrawnLead): boolean {
  if (contactOwner === null || !sawContact(world, creator, contactOwner)) return false;
  return sawContact(world, place, contactOwner);
}

/** Returns true if a person sees the contacts of this owner. */
function sawContact(world: World, viewer: number, owner: number): boolean {
  const together = world.teams.some(
    ({ members, sharing }) => sharing && members.includes(viewer) && members.includes(owner),
  );
  const brokers = world.subAccounts.some(
    ({ broker, user, usesContacts }) => usesContacts && user === viewer && broker === owner,
  );
  return owner === viewer || together || brokers;
}
