import type { User } from '@crm/auth';
import { agentOf, someone } from '@crm/testing';
import fc from 'fast-check';

/** Who belongs with whom, and whose contact each is, drawn at random. Numbers name people by their place. */
export interface World {
  readonly teams: readonly { readonly members: readonly number[]; readonly sharing: boolean }[];
  readonly subAccounts: readonly {
    readonly broker: number;
    readonly user: number;
    readonly usesContacts: boolean;
  }[];
  readonly contacts: readonly Drawn[];
}

interface Drawn {
  readonly owner: number;
  readonly assignee: number | null;
  readonly sharedWith: readonly number[];
}

export const population = 9;

const person = fc.nat(population - 1);

export const worlds: fc.Arbitrary<World> = fc.record({
  teams: fc.array(
    fc.record({ members: fc.uniqueArray(person, { minLength: 2, maxLength: 5 }), sharing: fc.boolean() }),
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
      owner: person,
      assignee: fc.option(person),
      sharedWith: fc.uniqueArray(person, { maxLength: 3 }),
    }),
    { minLength: 5, maxLength: 25 },
  ),
});

/** The people of a world as identity would tell of them. */
export function peopleOf({ teams, subAccounts }: World): User[] {
  const people = Array.from({ length: population }, () => someone());
  const idOf = (place: number) => people[place]?.id ?? 0;
  const matesOf = (place: number, counts: (sharing: boolean) => boolean) => {
    const joined = teams.filter(({ members, sharing }) => members.includes(place) && counts(sharing));
    return [...new Set(joined.flatMap(({ members }) => members))].filter((mate) => mate !== place).map(idOf);
  };
  return people.map((one, place) => {
    const own = subAccounts.find(({ user }) => user === place);
    const broker = own && people[own.broker];
    return {
      ...one,
      broker: broker ? agentOf(broker, { is_contact_ownership_enabled: own.usesContacts }).broker : null,
      sub_account_user_ids: subAccounts.filter((sub) => sub.broker === place).map(({ user }) => idOf(user)),
      teammate_ids: matesOf(place, () => true),
      sharing_teammate_ids: matesOf(place, (sharing) => sharing),
    };
  });
}

/** Why a person sees a contact, said once more and in another way than the policy does; nothing when there is no reason. */
export function reasonToSee(world: World, place: number, contact: Drawn): 'own' | 'shown' | undefined {
  const { owner, assignee, sharedWith } = contact;
  if (owner === place || assignee === place) return 'own';
  if (sharedWith.includes(place)) return 'shown';
  const together = world.teams.some(
    ({ members, sharing }) => sharing && members.includes(place) && members.includes(owner),
  );
  const brokers = world.subAccounts.some(
    ({ broker, user, usesContacts }) => usesContacts && user === place && broker === owner,
  );
  return together || brokers ? 'shown' : undefined;
}
