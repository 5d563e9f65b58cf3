import {
  find,
  id,
  ids,
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
const phone = name.describe('Where texts and calls to the user go, in E.164');
const person = {
  id,
  first_name: name,
  last_name: name,
  email: text(255),
};

/** A user as other users see them. */
export const UserView = z.object({
  ...person,
  username: name.describe(
    'The name with which the user signs in: the e-mail address, unless the operator has given another name to show',
  ),
  phone,
  system_phone: name.describe('The number that texts to contacts are sent from'),
  timezone_offset: integer.meta({
    description: 'Hours east of UTC now, rounded down; `timezone` is exact',
    [notFilterable]: true,
  }),
  timezone: timeZone,
  profile_picture: text(2000).nullable().describe('The address of an image'),
  created_at: instant,
  modified_at: instant,
});

/** A user as other services show them, found by id. */
export const PersonView = z.object({
  ...person,
  phone,
  timezone: timeZone,
  has_text_alerts: z.boolean().describe('Whether the user wants alerts as texts'),
  has_call_alerts: z.boolean().describe('Whether the user wants alerts as calls'),
  is_email_unreachable: z.boolean().describe('Whether the e-mail address is permanently unreachable'),
  is_phone_unreachable: z.boolean().describe('Whether texts to the number are permanently refused'),
  is_active: z.boolean().describe('false if the account is disabled'),
});

export const accountDisabled = refusal('Conflict', 'The account is disabled.', {
  reason: 'account_disabled',
  when: 'Something is created for a user whose account is disabled.',
  fix: 'Enable the account first: `crm users enable <email>`.',
  example: 'crm tokens create --user grace@example.com',
  given: 'the account is disabled',
});

export const applicationOfAnother = refusal('NotAuthenticated', 'This application belongs to another user.', {
  reason: 'application_of_another',
  when: 'Somebody other than the owner requests the users of an application.',
  fix: 'Send an access token of the owner of the application.',
  example: 'GET /users?oauth_client_id=6f1c2d9a',
  given: 'another user has registered the application',
});

/** For a single user who is not a user of the application. */
export const withoutToken = refusal('NotAuthenticated', 'This user has no valid token for the application.', {
  reason: 'user_without_token',
  when: 'The requested user has no valid token for the application.',
  fix: 'Ask the user to connect the application again.',
  example: 'GET /users/4001?oauth_client_id=6f1c2d9a',
  given: 'the user has disconnected the application',
});

const oauth_client_id = text(64)
  .optional()
  .describe('The client id of one of your applications: only users who have a valid token for it');

export const userApi = {
  find: operation({
    rest: 'GET /users',
    summary: 'List yourself, and then the people you work with',
    input: find(UserView, { own: { oauth_client_id } }),
    output: pageOf(UserView),
    refuses: [applicationOfAnother],
  }),
  get: operation({
    rest: 'GET /users/:id',
    summary: 'Read a user: yourself, a teammate, your broker, or the user of a sub-account',
    input: record(UserView, { id, oauth_client_id }),
    query: ['oauth_client_id'],
    output: UserView,
    refuses: [notFound, applicationOfAnother, withoutToken],
  }),
  byIds: internal({
    kind: 'query',
    for: 'system',
    callers: ['contacts', 'scheduling', 'campaigns-templates', 'leads-routing'],
    summary:
      'List the users with these ids, including disabled ones, in the order of the ids; unknown ones are left out',
    input: z.object({ ids }),
    output: z.array(PersonView),
  }),
};
