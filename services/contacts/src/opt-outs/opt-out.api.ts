import { instant, internal } from '@crm/contract';
import { z } from 'zod';

const number = z.string().regex(/^\+[1-9]\d{6,14}$/, { error: 'must be a phone number in E.164' });
const said = { number, at: instant.describe('When it was said: of two words, the later one counts') };

/** Numbers that nobody may text, whosever they are. */
export const optOutApi = {
  add: internal({
    kind: 'mutation',
    for: 'system',
    summary: 'Send no more texts to a number',
    input: z.object(said),
    output: z.object({}),
  }),
  remove: internal({
    kind: 'mutation',
    for: 'system',
    summary: 'Send texts to a number again',
    input: z.object(said),
    output: z.object({}),
  }),
  among: internal({
    kind: 'query',
    for: 'system',
    summary: 'Those of the numbers that must not be texted',
    input: z.object({ numbers: z.array(number).max(1000) }),
    output: z.array(number),
  }),
};
