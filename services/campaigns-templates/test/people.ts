import type { User } from '@crm/auth';
import type { Client } from '@crm/client';
import type { identityApi } from '@crm/identity/api';

interface Facts {
  readonly first_name?: string;
  readonly last_name?: string;
  readonly phone?: string;
}

/** Creates accounts and returns their actors, as a service would resolve them now. */
export function peopleIn({ users, tokens, actors }: Client<typeof identityApi>) {
  let count = 0;
  return {
    async person(facts: Facts = {}): Promise<User> {
      count += 1;
      const draft = { email: `person${count}@example.com`, password: 'long enough', ...facts };
      const { id } = await users.create(draft);
      const { access_token } = await tokens.create({ user: id });
      const actor = await actors.resolve({ token: access_token });
      if ('system' in actor) throw new Error('Expected a user, got the system.');
      return actor;
    },
  };
}
