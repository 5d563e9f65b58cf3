import type { User } from '@crm/auth';
import type { Context } from '@crm/service';
import { identity } from '../peers.ts';

/** The context of a request of a visitor for what the user who is signed in asks for, with the rights of that user. */
export function asUser(ctx: Context, user: User): Context {
  return Object.create(ctx, { actor: { value: user }, user: { value: user } }) as Context;
}

/** A user who is signed in, with the rights of this moment; undefined for one who was disabled meanwhile. */
export async function signedIn(ctx: Context, userId: number): Promise<User | undefined> {
  const [user] = await identity.asSystem(ctx).actors.ofUsers({ ids: [userId] });
  return user && { ...user, scopes: ['read', 'write'], act: null, access: null };
}
