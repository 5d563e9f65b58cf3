import type { User } from '@crm/auth';
import type { Client } from '@crm/client';
import type { identityApi } from '@crm/identity/api';

interface Facts {
  readonly first_name?: string;
  readonly last_name?: string;
  readonly is_broker?: boolean;
}

/** Creates accounts and returns their actors, as a service would resolve them now. */
export function peopleIn({ users, tokens, actors, teamMembers }: Client<typeof identityApi>) {
  let count = 0;
  const secrets = new Map<number, string>();
  const now = async ({ id }: { readonly id: number }): Promise<User> => {
    const actor = await actors.resolve({ token: secrets.get(id) ?? '' });
    if ('system' in actor) throw new Error('Expected a user, got the system.');
    return actor;
  };
  return {
    now,
    async person(facts: Facts = {}): Promise<User> {
      count += 1;
      const { id } = await users.create({
        email: `person${count}@example.com`,
        password: 'long enough',
        ...facts,
      });
      secrets.set(id, (await tokens.create({ user: id })).access_token);
      return now({ id });
    },
    /** Removes a user from a team. */
    leave: (team_id: number, { id }: User) => teamMembers.remove({ team_id, user_id: id }),
  };
}
