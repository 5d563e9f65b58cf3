import type { User } from '@crm/auth';
import { type Relations, relatedPeople } from '@crm/testing';
import fc from 'fast-check';

/** Random teams, sub-accounts and contacts. Numbers are indexes of people. */
export interface World extends Relations {
  readonly contacts: readonly Drawn[];
}

interface Drawn {
  readonly owner: number;
  readonly assignee: number | null;
  readonly sharedWith: readonly number[];
}

const population = 9;

const personIndex = fc.nat(population - 1);

export const worlds: fc.Arbitrary<World> = fc.record({
  teams: fc.array(
    fc.record({
      members: fc.uniqueArray(personIndex, { minLength: 2, maxLength: 5 }),
      sharing: fc.boolean(),
    }),
    { maxLength: 4 },
  ),
  subAccounts: fc.uniqueArray(
    fc.record({
      broker: fc.nat(1),
      user: fc.integer({ min: 2, max: population - 1 }),
      usesContacts: fc.boolean(),
    }),
    { selector: ({ user }) => user, maxLength: 4 },
  ),
  contacts: fc.array(
    fc.record({
      owner: personIndex,
      assignee: fc.option(personIndex),
      sharedWith: fc.uniqueArray(personIndex, { maxLength: 3 }),
    }),
    { minLength: 5, maxLength: 25 },
  ),
});

/** The users of a world as identity would resolve them. */
export const peopleOf = (world: World): User[] => relatedPeople(world, population);

/** Why a user sees a contact, implemented independently of the policy; undefined if the user does not. */
export function reasonToSee(
  world: World,
  person: number,
  contact: Drawn,
): 'own' | 'shown' | 'team' | undefined {
  const { owner, assignee, sharedWith } = contact;
  if (owner === person || assignee === person) return 'own';
  if (sharedWith.includes(person)) return 'shown';
  const together = world.teams.some(
    ({ members, sharing }) => sharing && members.includes(person) && members.includes(owner),
  );
  const brokers = world.subAccounts.some(
    ({ broker, user, usesContacts }) => usesContacts && user === person && broker === owner,
  );
  if (brokers) return 'shown';
  return together ? 'team' : undefined;
}
