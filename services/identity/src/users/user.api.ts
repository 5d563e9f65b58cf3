import {
  find,
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
const phone = name.describe('Where texts and calls to the user go, in E.164');
const person = {
  id,
  first_name: name,
  last_name: name,
  email: text(255),
};

/** What users see of one another. */
export const UserView = z.object({
  ...person,
  username: name,
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

/** What other services show beside a user's id. */
export const PersonView = z.object({
  ...person,
  phone,
  timezone: timeZone,
  has_text_alerts: z.boolean().describe('Whether the user wants alerts as texts'),
  has_call_alerts: z.boolean().describe('Whether the user wants alerts as calls'),
  is_email_unreachable: z.boolean().describe('Whether e-mails to the address have come back for good'),
  is_phone_unreachable: z.boolean().describe('Whether texts to the number are refused for good'),
  is_active: z.boolean().describe('Not disabled'),
});

export const accountDisabled = refusal('Conflict', 'The account is disabled.');

const oauth_client_id = text(64)
  .optional()
  .describe('The client id of an application of yours: users who have a valid token of it');

export const userApi = {
  find: operation({
    rest: 'GET /users',
    summary: 'List yourself, and then the people you work with',
    input: find(UserView, { own: { oauth_client_id } }),
    output: pageOf(UserView),
  }),
  get: operation({
    rest: 'GET /users/:id',
    summary: 'Read a user: yourself, a teammate, your broker, or the user of a sub-account',
    input: record(UserView, { id, oauth_client_id }),
    query: ['oauth_client_id'],
    output: UserView,
    refuses: [notFound],
  }),
  byIds: internal({
    kind: 'query',
    for: 'system',
    callers: ['contacts', 'scheduling', 'campaigns-templates', 'leads-routing'],
    summary:
      'List the users with these ids, in the order of ids; including disabled ones, without unknown ones',
    input: z.object({ ids: z.array(id).max(1000) }),
    output: z.array(PersonView),
  }),
};
