import { z } from 'zod';
import { id, instant } from './fields.ts';
import { forOperator, internal } from './operation.ts';

const name = z.string();

/** The origin of deferred work: the request, and the span if its trace is recorded. */
export const Cause = z.object({
  request_id: z.string().optional(),
  traceparent: z.string().optional(),
  /** When the work was added, in ISO 8601. */
  at: z.string().optional(),
});
export type Cause = z.output<typeof Cause>;

/** A message or a published event, with its origin. */
export const CausedView = z.object({
  type: name.describe('The kind of message, such as "communication", or the type of the event'),
  id: name,
  record: name.nullable().describe('The record that an event is about, such as "contact/12"'),
  at: instant
    .nullable()
    .describe('When the event was published, or when the message was last sent to a provider'),
  state: name.nullable(),
  reason: name.nullable().describe('Why a message has its state'),
  request_id: name.nullable().describe('The request that caused it; null if it was not recorded'),
});
export type Caused = z.output<typeof CausedView>;

/** The origins of messages and events, for the operator. */
export const causeApi = {
  find: internal({
    ...forOperator,
    kind: 'query',
    summary: 'The messages and events of this service that have an id, or that some requests caused',
    input: z.object({
      message: z.object({ type: name, id }).optional(),
      event_id: z.uuid().optional(),
      request_ids: z.array(name).max(100).optional(),
    }),
    output: z.object({ data: z.array(CausedView) }),
  }),
};
