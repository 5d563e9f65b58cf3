import {
  find,
  flag,
  forOperator,
  id,
  internal,
  notFound,
  pageOf,
  refusal,
  text,
  timeZone,
} from '@crm/contract';
import { z } from 'zod';
import { PersonView, UserView } from '../users/user.api.ts';

/** An account as the operator sees it. */
export const AccountView = z.object({
  ...UserView.pick({
    id: true,
    first_name: true,
    last_name: true,
    email: true,
    username: true,
    phone: true,
    timezone: true,
  }).shape,
  is_broker: flag,
  is_active: PersonView.shape.is_active,
  ...UserView.pick({ created_at: true, modified_at: true }).shape,
});

export const emailTaken = refusal('Conflict', 'A user with this e-mail address already exists.', {
  reason: 'email_taken',
  when: 'An account is created with the e-mail address of another one.',
  fix: 'Use another address, or find the account: `crm users list`.',
  example: 'crm users create --email grace@example.com …',
  given: 'an account with this address exists',
});

/** Loose on purpose: only a delivered message proves that an address is valid. */
const emailAddress = text(255).refine((value) => /^[^\s@]+@[^\s@]+$/.test(value), {
  error: 'must be an e-mail address',
});

const name = text(255).nullable();
export const newPassword = text(1024).min(8, { error: 'must have at least 8 characters' });
const named = { user: z.union([id, text(255)]).describe('The id or the e-mail address of the user') };

/** A change of one account. */
const change = { ...forOperator, kind: 'mutation', output: AccountView, refuses: [notFound] } as const;

/** The operations of the operator on the accounts of users. */
export const accountApi = {
  search: internal({
    ...forOperator,
    kind: 'query',
    summary: 'List all accounts, including disabled ones',
    input: find(AccountView),
    output: pageOf(AccountView),
  }),
  create: internal({
    ...forOperator,
    kind: 'mutation',
    summary: 'Create an account',
    input: z.object({
      email: emailAddress,
      first_name: name.default(null),
      last_name: name.default(null),
      username: name.default(null),
      phone: name.default(null),
      timezone: timeZone.default('America/Los_Angeles'),
      password: newPassword.optional().describe('If left out, the user can choose one by e-mail'),
      invite: flag.default(false).describe('Whether the user is sent a link to choose a password'),
      is_broker: flag.default(false),
      sub_account_of: z
        .union([id, text(255)])
        .optional()
        .describe('The id or the e-mail address of the broker for whom the account is created'),
    }),
    output: AccountView,
    refuses: [emailTaken],
  }),
  change: internal({
    ...change,
    summary: 'Change an account; when it stops being a broker, its sub-accounts are removed',
    input: z.object({
      ...named,
      ...UserView.pick({
        first_name: true,
        last_name: true,
        username: true,
        phone: true,
        system_phone: true,
        timezone: true,
        profile_picture: true,
      }).partial().shape,
      is_broker: flag.optional(),
    }),
  }),
  changePassword: internal({
    ...change,
    summary: 'Set the password of an account and revoke its access tokens',
    input: z.object({ ...named, password: newPassword }),
  }),
  disable: internal({
    ...change,
    summary: 'Disable an account, revoke its access tokens and remove its sub-accounts',
    input: z.object(named),
    output: AccountView.extend({
      applications: z
        .array(z.object({ id, name: text(255) }))
        .describe('The applications of the account, which do not work until it is enabled'),
    }),
  }),
  enable: internal({
    ...change,
    summary: 'Enable a disabled account; it needs new access tokens',
    input: z.object(named),
  }),
};
