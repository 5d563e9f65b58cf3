import { choice, forOperator, id, instant, internal } from '@crm/contract';
import { z } from 'zod';

const user_id = id.nullable().describe('null for everybody');
const Pause = z.object({
  user_id,
  by: choice('user', 'operator').describe('Who set it; each can end only its own'),
  paused_at: instant,
});

/** The stop switch of an account, or of the installation: while it is on, nothing is sent to contacts. */
export const sendingPauseApi = {
  find: internal({
    ...forOperator,
    kind: 'query',
    summary: 'List who is paused, by whom and since when',
    input: z.object({}),
    output: z.array(Pause),
  }),
  add: internal({
    ...forOperator,
    kind: 'mutation',
    summary: 'Stop sending messages to contacts on behalf of a user, or of everybody, at once',
    input: z.object({ user_id }),
    output: Pause,
  }),
  remove: internal({
    ...forOperator,
    kind: 'mutation',
    summary: 'End a pause of the operator; messages that are more than an hour late are moved to another day',
    input: z.object({ user_id }),
    output: z.object({}),
  }),
};
