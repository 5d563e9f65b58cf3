import { userCreated } from '@crm/events';
import { type Context, flushOr, publish } from '@crm/service';
import type { z } from 'zod';
import { User } from '../users/user.entity.ts';
import { eventData } from '../users/user-event-data.ts';
import { type accountApi, emailTaken } from './account.api.ts';

type Draft = Omit<z.output<typeof accountApi.create.input>, 'password' | 'invite' | 'sub_account_of'>;

/** Creates an account. Throws Conflict when its e-mail address is taken. */
export async function createAccount(ctx: Context, draft: Draft, password_hash: string): Promise<User> {
  const user = ctx.em.create(User, {
    ...draft,
    // Stored in lower case, so that it is found in any spelling.
    email: draft.email.toLowerCase(),
    password_hash,
    created_at: ctx.now(),
    modified_at: ctx.now(),
  });
  await flushOr(ctx, { users_email: () => emailTaken({ errors: { email: 'is taken' } }) });
  publish(ctx, userCreated, user, eventData(user));
  return user;
}
