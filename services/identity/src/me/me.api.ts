import { id, instant, integer, operation, text, timeZone } from '@crm/contract';
import { z } from 'zod';

export const CurrentUserView = z.object({
  id,
  first_name: text(255).nullable(),
  last_name: text(255).nullable(),
  email: text(255),
  timezone_offset: integer.describe('Hours east of UTC now, rounded down; `timezone` is exact'),
  created_at: instant,
  modified_at: instant,
  timezone: timeZone,
});

export const meApi = {
  get: operation({
    rest: 'GET /me',
    summary: 'Read the user an access token belongs to',
    input: z.object({}),
    output: CurrentUserView,
  }),
};
