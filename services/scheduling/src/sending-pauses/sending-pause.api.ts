import { id, instant, internal } from '@crm/contract';
import { z } from 'zod';

const user_id = id.nullable().describe('null for everybody');
const Pause = z.object({ user_id, paused_at: instant });

/** The stop switch of an account, or of the installation: while it is on, nothing is sent to contacts. */
export const sendingPauseApi = {
  find: internal({
    kind: 'query',
    for: 'system',
    callers: ['operator'],
    summary: 'List who is paused, and since when',
    input: z.object({}),
    output: z.array(Pause),
  }),
  add: internal({
    kind: 'mutation',
    for: 'system',
    callers: ['operator'],
    summary: 'Send nothing to contacts on behalf of a user, or of anybody, from this moment on',
    input: z.object({ user_id }),
    output: Pause,
  }),
  remove: internal({
    kind: 'mutation',
    for: 'system',
    callers: ['operator'],
    summary: 'Send again; what is more than an hour late is moved to another day',
    input: z.object({ user_id }),
    output: z.object({}),
  }),
};
