import type { User } from '@crm/auth';
import type { Context } from '@crm/service';
import { identity } from '../peers.ts';

/** The context of a visitor's request, with the rights of the user who is signed in. */
export function asUser(ctx: Context, user: User): Context {
  return Object.create(ctx, { actor: { value: user }, user: { value: user } }) as Context;
}

/** A user who is signed in, with current rights; undefined for one who has been disabled in the meantime. */
export async function signedIn(ctx: Context, userId: number): Promise<User | undefined> {
  const [user] = await identity.asSystem(ctx).actors.ofUsers({ ids: [userId] });
  return user && { ...user, scopes: ['read', 'write'], act: null, access: null };
}
