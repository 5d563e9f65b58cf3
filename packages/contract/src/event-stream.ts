import { z } from 'zod';
import { choice } from './fields.ts';
import { internal } from './operation.ts';

/**
 * The subscription to the events of a service, the same for all services. `lastEventId` is the last id that was received; the
 * tRPC client sends it automatically when it reconnects. Ids without an event come at the start, and once per minute if there
 * was nothing else to send, so that a client continues where it was, however rare its events are.
 */
export function eventStream<Event extends z.ZodType>(
  event: Event,
  events: readonly { readonly name: string }[],
) {
  const [first = '', ...others] = events.map(({ name }) => name);
  return {
    subscribe: internal({
      kind: 'subscription',
      for: 'system',
      callers: ['platform', 'operator'],
      summary:
        'Receive the events of this service as they are published, starting with those after the last one received',
      input: z.object({
        lastEventId: z
          .string()
          .max(64)
          .nullish()
          .describe('The last id that was received; without it only new events are sent'),
        types: z
          .array(choice(first, ...others))
          .max(100)
          .optional()
          .describe('The names of the events (default: all of the service)'),
      }),
      output: z.object({
        id: z.string().describe('To continue from here'),
        data: event.nullable().describe('The event; null if there is only the id'),
      }),
    }),
  };
}
