import { findPage } from '@crm/data';
import { userCreated } from '@crm/events';
import { answerWith, implement, publish, violatedUnique } from '@crm/service';
import { hashPassword } from './password.ts';
import { emailTaken, userApi } from './user.api.ts';
import { User } from './user.entity.ts';
import { userRows } from './user.queries.ts';

export const userHandlers = implement(userApi, {
  find: (ctx, input) => findPage(ctx.query, userRows, ctx.actor, input),

  create: async (ctx, { password, ...draft }) => {
    const user = ctx.em.create(User, {
      ...draft,
      // In one spelling, so that it is found however it is typed.
      email: draft.email.toLowerCase(),
      password_hash: await hashPassword(password),
      created_at: ctx.now(),
      modified_at: ctx.now(),
    });
    await ctx.em.flush().catch((error: unknown) => {
      throw violatedUnique(error) === 'users_email' ? emailTaken({ errors: { email: 'is taken' } }) : error;
    });
    publish(ctx, userCreated, { id: user.id, version: user.version, data: { user_id: user.id } });
    return answerWith(ctx, userRows, user.id);
  },
});
