import { choice, instant, internal, text } from '@crm/contract';
import { z } from 'zod';

export const number = z.string().regex(/^\+[1-9]\d{6,14}$/, { error: 'must be a phone number in E.164' });
const request = { number, at: instant.describe('When it was requested; the latest request counts') };

const email = text(320).min(3).describe('In upper or lower case');

/** Numbers that must not receive texts and addresses that must not receive e-mails, whichever contacts they belong to. */
export const optOutApi = {
  add: internal({
    kind: 'mutation',
    for: 'system',
    callers: ['scheduling'],
    summary: 'Opt a number out of texts',
    input: z.object({ ...request, source: choice('Reply', 'Bounce').default('Reply') }),
    output: z.object({}),
  }),
  addEmail: internal({
    kind: 'mutation',
    for: 'system',
    callers: ['scheduling'],
    summary: 'Opt an address out of e-mails',
    input: z.object({ email, at: request.at, source: choice('List-Unsubscribe', 'Bounce') }),
    output: z.object({}),
  }),
  remove: internal({
    kind: 'mutation',
    for: 'system',
    callers: ['scheduling'],
    summary: 'Allow texts to a number again',
    input: z.object(request),
    output: z.object({}),
  }),
  pause: internal({
    kind: 'mutation',
    for: 'system',
    callers: ['scheduling'],
    summary:
      'Record that texts to a number are paused until an agent decides, to show it with the contacts of the number',
    input: z.object(request),
    output: z.object({}),
  }),
  resume: internal({
    kind: 'mutation',
    for: 'system',
    callers: ['scheduling'],
    summary: 'Record that an agent has decided about the texts to a number',
    input: z.object(request),
    output: z.object({}),
  }),
  among: internal({
    kind: 'query',
    for: 'system',
    callers: ['scheduling', 'leads-routing'],
    summary: 'Which of the numbers have opted out of texts',
    input: z.object({ numbers: z.array(number).max(1000) }),
    output: z.array(number),
  }),
  askedToBeLeftAlone: internal({
    kind: 'query',
    for: 'system',
    callers: ['scheduling'],
    summary:
      'Who has texted STOP, or a sentence that an agent has to decide about, so that nobody is asked to call them',
    input: z.object({ numbers: z.array(number).max(1000) }),
    output: z.array(z.object({ number, by: choice('opting out', 'a sentence') })),
  }),
};
