import { z } from 'zod';
import { choice } from './fields.ts';
import { internal } from './operation.ts';

/**
 * The subscription to the events of a service, the same for all services. `lastEventId` is the id of the last handled event; the
 * tRPC client sends it automatically when it reconnects.
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
          .describe('The id of the last event that was received; without it only new events are sent'),
        types: z
          .array(choice(first, ...others))
          .max(100)
          .optional()
          .describe('The names of the events (default: all of the service)'),
      }),
      output: z.object({ id: z.string().describe('To continue after this event'), data: event }),
    }),
  };
}
