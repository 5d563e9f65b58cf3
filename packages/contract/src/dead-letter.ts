import { z } from 'zod';
import { id, instant, integer } from './fields.ts';
import { pageOf } from './find.ts';
import { notFound } from './general-refusals.ts';
import { forOperator, internal } from './operation.ts';

const name = z.string();

/** A message that a service could not handle, with the reason. */
export const DeadLetterView = z.object({
  id,
  event_id: name.nullable().describe('The id of the event; null if the message is not an event'),
  subject: name.describe('The subject of the message, such as "crm.contacts.contact.removed"'),
  reason: name.describe('Why handling it last failed'),
  failures: integer.describe('How many times handling it failed'),
  sent_at: instant.describe('When it was published'),
  died_at: instant.describe('When handling it last failed'),
});
export type DeadLetter = z.output<typeof DeadLetterView>;

/** A dead letter with its headers and data. */
export const WholeDeadLetterView = DeadLetterView.extend({
  headers: z.record(z.string(), z.array(z.string())).describe('The headers of the message'),
  data: name.describe('The bytes of the message in Base64'),
});

const one = { input: z.object({ id }), refuses: [notFound] };

/** The events that a service could not handle, for the operator. */
export const deadLetterApi = {
  find: internal({
    ...forOperator,
    kind: 'query',
    summary: 'The events that this service could not handle, after the one with a number, oldest first',
    input: z.object({ after: z.int().min(0), limit: z.int().min(0).max(10_000) }),
    output: pageOf(DeadLetterView),
  }),
  get: internal({
    ...forOperator,
    ...one,
    kind: 'query',
    summary: 'An event that this service could not handle, in full',
    output: WholeDeadLetterView,
  }),
  redrive: internal({
    ...forOperator,
    ...one,
    kind: 'mutation',
    summary: 'Handle an event once more; if that succeeds, it is no longer a dead letter',
    output: z.object({
      is_handled: z.boolean(),
      reason: name.nullable().describe('Why handling it failed again'),
    }),
  }),
  discard: internal({
    ...forOperator,
    ...one,
    kind: 'mutation',
    summary: 'Give up an event, which will then never be handled',
    output: WholeDeadLetterView,
  }),
};
