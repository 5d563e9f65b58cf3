import { z } from 'zod';

/**
 * The message format: CloudEvents 1.0 in structured JSON. Extension attributes let consumers detect late events and
 * name the actor.
 */
export const CloudEvent = z.object({
  specversion: z.literal('1.0'),
  id: z.uuid().describe('Also the Nats-Msg-Id. A consumer ignores an id that it has already seen.'),
  source: z.string().describe('The service that published it: `crm/<service>`.'),
  type: z.string().describe('The NATS subject.'),
  subject: z.string().describe('The aggregate: `<noun>/<id>`.'),
  time: z.iso.datetime(),
  datacontenttype: z.literal('application/json'),
  aggregateversion: z
    .int()
    .nonnegative()
    .describe(
      'Grows by at least one with each event of an aggregate, so that an event that arrives late can be detected.',
    ),
  actor: z.string().describe('Who did it: `user/<id>` or `system`.'),
  act: z
    .string()
    .optional()
    .describe('The broker who did it with the access token of a sub-account: `user/<id>`.'),
  requestid: z.string().describe('The id of the request that caused it.'),
  traceparent: z
    .string()
    .optional()
    .describe('The span that caused it, as in W3C Trace Context; only where traces are recorded.'),
  data: z.unknown(),
});
export type CloudEvent = z.infer<typeof CloudEvent>;
