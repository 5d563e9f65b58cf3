import type { User } from '@crm/auth';
import type { Context } from '@crm/service';
import { actorNow } from './actor-now.ts';

/** The context of a visitor's request, with the rights of the user who is signed in. */
export function asUser(ctx: Context, user: User): Context {
  return Object.create(ctx, { actor: { value: user }, user: { value: user } }) as Context;
}

/** A user who is signed in, with current rights; undefined for one who has been disabled in the meantime. */
export const signedIn = (ctx: Context, user_id: number): Promise<User | undefined> =>
  actorNow(ctx, { user_id, origin: { request_id: ctx.requestId, act: null, access: null } });
