import { z } from 'zod';

/**
 * What travels on the broker: CloudEvents 1.0 in structured JSON, with extension attributes for what a
 * receiver needs to drop repeats and late arrivals, and to say who did it.
 */
export const CloudEvent = z.object({
  specversion: z.literal('1.0'),
  /** Also the `Nats-Msg-Id`; a receiver that has seen it does nothing. */
  id: z.uuid(),
  source: z.string(),
  type: z.string(),
  /** The aggregate: `<noun>/<id>`. */
  subject: z.string(),
  time: z.iso.datetime(),
  datacontenttype: z.literal('application/json'),
  /** Grows by at least one with each event of an aggregate, so that an older one that comes late is known as such. */
  aggregateversion: z.int().nonnegative(),
  /** `user/<id>` or `system`. */
  actor: z.string(),
  requestid: z.string(),
  data: z.unknown(),
});
export type CloudEvent = z.infer<typeof CloudEvent>;
