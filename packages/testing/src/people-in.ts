import type { Actor, User } from '@crm/auth';

interface Facts {
  readonly first_name?: string;
  readonly last_name?: string;
  readonly phone?: string;
  readonly is_broker?: boolean;
  /** Only for people who sign in, because hashing takes time. */
  readonly password?: string;
}

/** The operations of identity in use; declared here because identity itself is tested with this package. */
interface Identity {
  readonly users: {
    create(draft: Facts & { email: string }): Promise<{ readonly id: number }>;
  };
  readonly tokens: { create(draft: { user: number }): Promise<{ readonly access_token: string }> };
  readonly actors: { resolve(input: { token: string }): Promise<Actor> };
}

/** Creates accounts and resolves them with their current rights, as any service would. */
export function peopleIn({ users, tokens, actors }: Identity) {
  let count = 0;
  const secrets = new Map<number, string>();
  const tokenOf = (id: number): string => secrets.get(id) ?? '';
  const now = async ({ id }: { readonly id: number }): Promise<User> => {
    const actor = await actors.resolve({ token: tokenOf(id) });
    if ('system' in actor) throw new Error('A user was expected.');
    return actor;
  };
  const renewed = async (id: number): Promise<User> => {
    secrets.set(id, (await tokens.create({ user: id })).access_token);
    return now({ id });
  };
  return {
    now,
    /** The access token that `now` resolves. */
    tokenOf,
    /** Creates another token for an account whose first one was revoked. */
    renewed,
    async person(facts: Facts = {}): Promise<User> {
      count += 1;
      const draft = { email: `person${count}@example.com`, ...facts };
      return renewed((await users.create(draft)).id);
    },
  };
}
