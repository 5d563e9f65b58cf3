import { id, internal, notFound, text, timeZone } from '@crm/contract';
import { z } from 'zod';
import { accountDisabled } from '../users/user.api.ts';

const user = z.union([id, text(255)]).describe('The id or the e-mail address of the user');

export const calendarFeedApi = {
  create: internal({
    secret: true,
    kind: 'mutation',
    for: 'system',
    summary: 'Make the link of a user’s calendar, which is shown this once; the one before works no more',
    input: z.object({ user }),
    output: z.object({ user_id: id, url: z.string() }),
    refuses: [notFound, accountDisabled],
  }),
  remove: internal({
    kind: 'mutation',
    for: 'system',
    summary: 'Revoke the link of a user’s calendar',
    input: z.object({ user }),
    output: z.object({ user_id: id }),
    refuses: [notFound],
  }),
  resolve: internal({
    kind: 'query',
    for: 'system',
    summary: 'Tell whose calendar a link leads to; null for a link that works no more, or never did',
    input: z.object({ secret: z.string().max(1000) }),
    output: z.object({ user_id: id, timezone: timeZone }).nullable(),
  }),
};
