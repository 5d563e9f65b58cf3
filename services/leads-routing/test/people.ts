import type { User } from '@crm/auth';
import type { Client } from '@crm/client';
import type { identityApi } from '@crm/identity/api';

interface Name {
  readonly first_name?: string;
  readonly last_name?: string;
}

/** Makes accounts and teams, and answers who people are at this moment, as any service would learn it. */
export function peopleIn({ users, tokens, actors, teamMembers }: Client<typeof identityApi>) {
  let count = 0;
  const secrets = new Map<number, string>();
  const now = async ({ id }: { readonly id: number }): Promise<User> => {
    const actor = await actors.resolve({ token: secrets.get(id) ?? '' });
    if ('system' in actor) throw new Error('A person was expected.');
    return actor;
  };
  return {
    now,
    async person(facts: Name & { readonly is_broker?: boolean } = {}): Promise<User> {
      count += 1;
      const { id } = await users.create({
        email: `person${count}@example.com`,
        password: 'long enough',
        ...facts,
      });
      secrets.set(id, (await tokens.create({ user: id })).access_token);
      return now({ id });
    },
    /** Takes a person into a team, with a membership in the given state, and answers who that is from now on. */
    async join(
      team_id: number,
      { id }: User,
      answer: (membership: number) => Promise<unknown>,
    ): Promise<User> {
      const { id: membership } = await teamMembers.invite({ team_id, user_id: id });
      await answer(membership);
      return now({ id });
    },
  };
}
