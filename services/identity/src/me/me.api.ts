import { id, instant, integer, operation, text, timeZone } from '@crm/contract';
import { z } from 'zod';

const name = text(255).nullable();

/** What users may write of their own account. */
const profile = {
  first_name: name,
  last_name: name,
  phone: name.describe(
    'Where texts and calls to the user go, in E.164; requests may use another notation, such as (415) 555-2671',
  ),
  timezone: timeZone,
};

export const CurrentUserView = z.object({
  id,
  ...profile,
  email: text(255),
  timezone_offset: integer.describe('Hours east of UTC now, rounded down; `timezone` is exact'),
  created_at: instant,
  modified_at: instant,
});

export const meApi = {
  get: operation({
    rest: 'GET /me',
    summary: 'Read the user an access token belongs to',
    input: z.object({}),
    output: CurrentUserView,
  }),
  patch: operation({
    rest: 'PATCH /me',
    summary: 'Change the user an access token belongs to',
    input: z.object(profile).partial(),
    output: CurrentUserView,
  }),
};
