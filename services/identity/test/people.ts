import type { User } from '@crm/auth';
import { peopleIn as accountsIn } from '@crm/testing';
import type { identityUnderTest } from './harness.ts';

type Identity = Awaited<ReturnType<typeof identityUnderTest>>;

/** Creates accounts, resolves them with their current rights, and lets them join teams. */
export function peopleIn({ as, asSystem }: Identity) {
  const { person, now, tokenOf, renewed } = accountsIn(asSystem);
  return {
    someone: person,
    now: (id: number): Promise<User> => now({ id }),
    tokenOf,
    renewed,
    /** Records the consent of a user to a broker. */
    consent: (broker: { readonly id: number }, user: { readonly id: number }) =>
      asSystem.subAccounts.consent({ broker: broker.id, user: user.id }),
    /** Adds a user as a sub-account, with the user's consent. */
    async add(broker: User, user: { readonly id: number }, switches: Record<string, unknown> = {}) {
      await asSystem.subAccounts.consent({ broker: broker.id, user: user.id });
      return as(broker).subAccounts.create({ user_id: user.id, ...switches });
    },
    /** Invites a user to a team and answers for the user. Returns the member's id. */
    async join(team_id: number, user_id: number, request_status: 'Accepted' | 'Declined' = 'Accepted') {
      const { id } = await asSystem.teamMembers.invite({ team_id, user_id });
      await as(await now({ id: user_id })).teamMembers.patch({ id, request_status });
      return id;
    },
  };
}
