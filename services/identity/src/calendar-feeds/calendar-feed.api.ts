import { forOperator, id, internal, notFound, text, timeZone } from '@crm/contract';
import { z } from 'zod';
import { accountDisabled } from '../users/user.api.ts';

const user = z.union([id, text(255)]).describe('The id or the e-mail address of the user');

export const calendarFeedApi = {
  create: internal({
    ...forOperator,
    secret: true,
    kind: 'mutation',
    summary: "Create the link to a user's calendar and show it once; the previous link stops working",
    input: z.object({ user }),
    output: z.object({ user_id: id, url: z.string() }),
    refuses: [notFound, accountDisabled],
  }),
  remove: internal({
    ...forOperator,
    kind: 'mutation',
    summary: "Revoke the link to a user's calendar",
    input: z.object({ user }),
    output: z.object({ user_id: id }),
    refuses: [notFound],
  }),
  resolve: internal({
    kind: 'query',
    for: 'system',
    callers: ['scheduling'],
    summary: 'Find the user of a calendar link; null for an unknown or revoked link',
    input: z.object({ secret: z.string().max(1000) }),
    output: z.object({ user_id: id, timezone: timeZone }).nullable(),
  }),
};
