import type { User } from '@crm/auth';
import { agentOf, someone } from './people.ts';

/** How people are related. Numbers are indexes of people. */
export interface Relations {
  readonly teams: readonly { readonly members: readonly number[]; readonly sharing: boolean }[];
  readonly subAccounts: readonly {
    readonly broker: number;
    readonly user: number;
    readonly usesContacts: boolean;
  }[];
}

/** A number of people, related as identity would describe them. */
export function relatedPeople({ teams, subAccounts }: Relations, count: number): User[] {
  const people = Array.from({ length: count }, () => someone());
  const idOf = (index: number) => people[index]?.id ?? 0;
  const matesOf = (person: number, counts: (sharing: boolean) => boolean) => {
    const joined = teams.filter(({ members, sharing }) => members.includes(person) && counts(sharing));
    return [...new Set(joined.flatMap(({ members }) => members))].filter((mate) => mate !== person).map(idOf);
  };
  return people.map((user, index) => {
    const own = subAccounts.find((sub) => sub.user === index);
    const broker = own && people[own.broker];
    return {
      ...user,
      broker: broker ? agentOf(broker, { is_contact_ownership_enabled: own.usesContacts }).broker : null,
      sub_account_user_ids: subAccounts.filter((sub) => sub.broker === index).map(({ user }) => idOf(user)),
      teammate_ids: matesOf(index, () => true),
      sharing_teammate_ids: matesOf(index, (sharing) => sharing),
    };
  });
}
