import { Cause, forOperator, instant, internal, web } from '@crm/contract';
import { z } from 'zod';

const form = z.object({
  MessageSid: z.string(),
  From: z.string(),
  To: z.string(),
  Body: z.string(),
  OptOutType: z.string().optional(),
});

const textId = z.string().regex(/^\w{1,64}$/, { error: 'must be the id of a text' });
const number = z.string().regex(/^\+[1-9]\d{6,14}$/, { error: 'must be a phone number in E.164' });
const words = z.string().max(1600);

const Text = z.object({ id: textId, from_number: number, body: words, received_at: instant });

/** Its sender may be a short code or a name instead of a phone number. */
const UnmatchedText = Text.extend({ from_number: z.string().max(20) });

/** Incoming texts. */
export const inboundTextApi = {
  receive: web({
    rest: 'POST /callbacks/texts',
    kind: 'mutation',
    summary: 'Receive a text; it is processed after the response',
    audience: 'carriers',
    body: { 'application/x-www-form-urlencoded': form },
    answers: { 200: { 'text/xml': null }, 403: { 'text/plain': null } },
  }),
  add: internal({
    kind: 'mutation',
    for: 'system',
    callers: ['leads-routing'],
    summary: 'Store a text that does not claim a lead; a repeated one changes nothing',
    input: Text,
    output: z.object({}),
  }),
  undecided: internal({
    kind: 'query',
    for: 'system',
    callers: ['leads-routing'],
    summary: 'Texts that may claim a lead and are not decided yet, oldest first',
    input: z.object({ skip: z.int().min(0).default(0) }),
    output: z.array(Text.extend({ cause: Cause.nullable().describe('The request that brought the text') })),
  }),
  decide: internal({
    kind: 'mutation',
    for: 'system',
    callers: ['leads-routing'],
    summary: 'Store whether a text claims a lead, and the reply to it; the first decision counts',
    input: z.object({ id: textId, is_claim: z.boolean(), reply: words.nullable() }),
    output: z.object({}),
  }),
  unmatched: internal({
    ...forOperator,
    kind: 'query',
    summary: 'Texts from numbers that belong to no contact, latest first',
    input: z.object({ limit: z.int().min(1).max(1000), before: instant.optional() }),
    output: z.array(
      UnmatchedText.extend({ meaning: z.string().describe('What the text asks for, such as stop') }),
    ),
  }),
};
