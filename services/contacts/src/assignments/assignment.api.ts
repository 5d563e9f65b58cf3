import { flag, id, integer, internal } from '@crm/contract';
import { z } from 'zod';

const callers = ['operator'] as const;

const input = z.object({
  from_user_id: id.describe('The owner of the contacts, whose account may be disabled'),
  to_user_id: id,
  all: flag.default(false).describe('Also contacts that are assigned to somebody else'),
  after: z.int().min(0).default(0).describe('The id after which the portion begins'),
});

const output = z.object({
  count: integer.describe('How many contacts of the portion are assigned to the user by this'),
  left: integer.describe('How many are left to somebody else'),
  next: id.nullable().describe('For `after` of the next portion; null after the last one'),
});

/** What the operator does with the contacts of a user who leaves. */
export const assignmentApi = {
  count: internal({
    kind: 'query',
    for: 'system',
    callers,
    summary: 'Count what assigning the contacts of a user to another would change, in portions',
    input,
    output,
  }),
  assign: internal({
    kind: 'mutation',
    for: 'system',
    callers,
    summary: 'Assign the contacts of a user to another, in portions; repeating it changes nothing',
    input,
    output,
  }),
  isNeeded: internal({
    kind: 'query',
    for: 'system',
    callers,
    summary: 'Whether a user has contacts that are neither assigned to nor shared with anybody else',
    input: z.object({ user_id: id }),
    output: z.boolean(),
  }),
};
