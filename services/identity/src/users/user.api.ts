import {
  find,
  flag,
  id,
  instant,
  integer,
  internal,
  notFilterable,
  notFound,
  operation,
  pageOf,
  record,
  refusal,
  text,
  timeZone,
} from '@crm/contract';
import { z } from 'zod';

const name = text(255).nullable();
const person = {
  id,
  first_name: name,
  last_name: name,
  email: text(255),
};
const stamps = { created_at: instant, modified_at: instant };
const isActive = z.boolean().describe('Not disabled');

/** What people see of one another. */
export const UserView = z.object({
  ...person,
  username: name,
  phone: name,
  system_phone: name.describe('The number that texts to contacts are sent from'),
  timezone_offset: integer.meta({
    description: 'Hours east of UTC now, rounded down; `timezone` is exact',
    [notFilterable]: true,
  }),
  timezone: timeZone,
  profile_picture: text(2000).nullable().describe('The address of an image'),
  ...stamps,
});

/** What the operator sees. */
export const AccountView = z.object({
  ...person,
  username: name,
  phone: name,
  timezone: timeZone,
  is_broker: flag,
  is_active: isActive,
  ...stamps,
});

/** What other services show beside a user's id. */
export const PersonView = z.object({ ...person, phone: name, timezone: timeZone, is_active: isActive });

export const emailTaken = refusal('Conflict', 'There is a user with this e-mail address already.');
export const accountDisabled = refusal('Conflict', 'The account is disabled.');

/** Loose on purpose: only a message that arrives proves an address. */
export const emailAddress = text(255).refine((value) => /^[^\s@]+@[^\s@]+$/.test(value), {
  error: 'must be an e-mail address',
});

const oauth_client_id = text(64)
  .optional()
  .describe('The client id of an application of one’s own; then those who hold a valid token of it');

const password = text(1024).min(8, { error: 'must have at least 8 characters' });
const named = { user: z.union([id, text(255)]).describe('The id or the e-mail address of the user') };

/** A mutation that the system makes of one account. */
const ofAccount = <In extends z.ZodType>(summary: string, input: In) =>
  internal({ kind: 'mutation', for: 'system', summary, input, output: AccountView, refuses: [notFound] });

export const userApi = {
  find: operation({
    rest: 'GET /users',
    summary: 'List oneself, and then the people one works with',
    input: find(UserView, { own: { oauth_client_id } }),
    output: pageOf(UserView),
  }),
  get: operation({
    rest: 'GET /users/:id',
    summary: 'Read a user: oneself, a teammate, one’s broker, or the user of a sub-account',
    input: record(UserView, { id, oauth_client_id }),
    query: ['oauth_client_id'],
    output: UserView,
    refuses: [notFound],
  }),
  search: internal({
    kind: 'query',
    for: 'system',
    summary: 'List all accounts, disabled ones included',
    input: find(AccountView),
    output: pageOf(AccountView),
  }),
  byIds: internal({
    kind: 'query',
    for: 'system',
    summary: 'Tell who the users with these ids are, by id; disabled ones too, and nothing of unknown ones',
    input: z.object({ ids: z.array(id).max(1000) }),
    output: z.array(PersonView),
  }),
  create: internal({
    kind: 'mutation',
    for: 'system',
    summary: 'Add a user',
    input: z.object({
      email: emailAddress,
      first_name: name.default(null),
      last_name: name.default(null),
      username: name.default(null),
      phone: name.default(null),
      timezone: timeZone.default('America/Los_Angeles'),
      password,
      is_broker: flag.default(false),
    }),
    output: AccountView,
    refuses: [emailTaken],
  }),
  change: ofAccount(
    'Change an account; a broker who is none any more lets all sub-accounts go',
    z.object({
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
  ),
  changePassword: ofAccount(
    'Give an account another password; whoever acted for it with an access token has to begin again',
    z.object({ ...named, password }),
  ),
  disable: ofAccount(
    'End an account for now: its access tokens are revoked, and a broker lets all sub-accounts go',
    z.object(named),
  ),
  enable: ofAccount('Let a disabled account work again, with new access tokens', z.object(named)),
};
