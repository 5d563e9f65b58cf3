import type { Actor, User } from '@crm/auth';
import type { identityUnderTest } from './harness.ts';

type Identity = Awaited<ReturnType<typeof identityUnderTest>>;

/** Makes accounts and answers who they are at this moment, as any service would learn it. */
export function peopleIn({ asSystem: { users, tokens, actors } }: Identity) {
  let count = 0;
  const secrets = new Map<number, string>();
  const now = async (id: number): Promise<User> => {
    const actor: Actor = await actors.resolve({ token: secrets.get(id) ?? '' });
    if ('system' in actor) throw new Error('A person was expected.');
    return actor;
  };
  return {
    now,
    /** The access token that `now` resolves. */
    tokenOf: (id: number): string => secrets.get(id) ?? '',
    /** Another token for an account whose first one has ended. */
    async anew(id: number): Promise<User> {
      secrets.set(id, (await tokens.create({ user: id })).access_token);
      return now(id);
    },
    async someone(facts: { readonly is_broker?: boolean } = {}): Promise<User> {
      count += 1;
      const { id } = await users.create({
        email: `person${count}@example.com`,
        password: 'long enough',
        ...facts,
      });
      secrets.set(id, (await tokens.create({ user: id })).access_token);
      return now(id);
    },
  };
}
