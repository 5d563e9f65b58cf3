import { find, flag, id, instant, internal, pageOf, refusal, text, timeZone } from '@crm/contract';
import { z } from 'zod';

export const UserView = z.object({
  id,
  first_name: text(255).nullable(),
  last_name: text(255).nullable(),
  email: text(255),
  username: text(255).nullable(),
  phone: text(255).nullable(),
  timezone: timeZone,
  is_broker: flag,
  created_at: instant,
  modified_at: instant,
});

export const emailTaken = refusal('Conflict', 'There is a user with this e-mail address already.');

/** Loose on purpose: only a message that arrives proves an address. */
export const emailAddress = text(255).refine((value) => /^[^\s@]+@[^\s@]+$/.test(value), {
  error: 'must be an e-mail address',
});

export const userApi = {
  find: internal({
    kind: 'query',
    for: 'system',
    summary: 'List users',
    input: find(UserView),
    output: pageOf(UserView),
  }),
  create: internal({
    kind: 'mutation',
    for: 'system',
    summary: 'Add a user',
    input: z.object({
      email: emailAddress,
      first_name: text(255).nullable().default(null),
      last_name: text(255).nullable().default(null),
      username: text(255).nullable().default(null),
      phone: text(255).nullable().default(null),
      timezone: timeZone.default('America/Los_Angeles'),
      password: text(1024).min(8, { error: 'must have at least 8 characters' }),
      is_broker: flag.default(false),
    }),
    output: UserView,
    refuses: [emailTaken],
  }),
};
