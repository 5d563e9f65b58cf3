import { z } from 'zod';

/**
 * What travels on the broker: CloudEvents 1.0 in structured JSON, with extension attributes for what a
 * receiver needs to drop repeats and late arrivals, and to say who did it.
 */
export const CloudEvent = z.object({
  specversion: z.literal('1.0'),
  id: z.uuid().describe('Also the Nats-Msg-Id; a receiver that has seen it does nothing.'),
  source: z.string().describe('The service that says it: `crm/<service>`.'),
  type: z.string().describe('The NATS subject.'),
  subject: z.string().describe('The aggregate: `<noun>/<id>`.'),
  time: z.iso.datetime(),
  datacontenttype: z.literal('application/json'),
  aggregateversion: z
    .int()
    .nonnegative()
    .describe(
      'Grows by at least one with each event of an aggregate, so that an older one that comes late is known as such.',
    ),
  actor: z.string().describe('Who did it: `user/<id>` or `system`.'),
  requestid: z.string().describe('The request in which it was done.'),
  data: z.unknown(),
});
export type CloudEvent = z.infer<typeof CloudEvent>;
