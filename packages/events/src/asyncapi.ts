import { z } from 'zod';
import { CloudEvent } from './cloud-event.ts';
import { consumersOf, type EventConsumer } from './consumers.ts';
import { type EventType, subjectOf } from './define-event.ts';
import { streamDays } from './stream-days.ts';

const description = `The events that services publish: CloudEvents 1.0 in structured JSON, without special headers.

- Each service has its own JetStream stream, \`CRM_<SERVICE>\`, which keeps its events for ${streamDays} days.
- A change and its event are committed together, and an event is delivered at least once. Consumers drop repeats by \`id\`.
- The events of one \`subject\` are sent in order. \`aggregateversion\` reveals one that arrives late, after a failure.
- Events contain ids, but no personal data or secrets. Consumers that need more ask the service that published the event.
- Fields may be added; consumers ignore those that they do not know.`;

/** The AsyncAPI 3.1.0 document of the domain events and their consumers. */
export function asyncApiDocument(events: readonly EventType[], consumers: readonly EventConsumer[]) {
  return {
    asyncapi: '3.1.0',
    info: { title: 'Events of the CRM', version: '1', description },
    defaultContentType: 'application/cloudevents+json',
    servers: { broker },
    channels: named(events, ({ name }) => name, channelOf),
    operations: {
      ...named(events, ({ service, name }) => `${service} publishes ${name}`, sendingOf),
      ...Object.fromEntries(events.flatMap((event) => receivingOf(event, consumers))),
    },
    components: {
      messages: named(events, ({ name }) => name, messageOf),
      tags: named(
        [...events, ...consumers],
        ({ service }) => service,
        ({ service }) => ({ name: service }),
      ),
      schemas: { CloudEvent: schemaOf(CloudEvent) },
    },
  };
}

const broker = {
  host: '{address}',
  protocol: 'nats',
  description: 'NATS with JetStream.',
  variables: {
    address: { default: '127.0.0.1:4222', description: 'Host and port, as in the variable `NATS_URL`.' },
  },
};

function named<Item, Value>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  valueFrom: (item: Item) => Value,
): Record<string, Value> {
  return Object.fromEntries(items.map((item) => [nameOf(item), valueFrom(item)]));
}

const channelOf = (event: EventType) => ({
  address: subjectOf(event),
  summary: event.summary,
  servers: [{ $ref: '#/servers/broker' }],
  messages: { [event.name]: { $ref: `#/components/messages/${event.name}` } },
});

/** The service of an operation. */
const tagOf = ({ service }: { readonly service: string }) => ({ $ref: `#/components/tags/${service}` });

const on = ({ name }: EventType) => ({
  channel: { $ref: `#/channels/${name}` },
  messages: [{ $ref: `#/channels/${name}/messages/${name}` }],
});

const sendingOf = (event: EventType) => ({
  action: 'send',
  summary: event.summary,
  tags: [tagOf(event)],
  ...on(event),
});

/** One operation per service that subscribes to the event, whatever the number of its handlers. */
const receivingOf = (event: EventType, consumers: readonly EventConsumer[]) =>
  consumersOf(event, consumers).map(({ service, effect }) => {
    const operation = { action: 'receive', summary: effect, tags: [tagOf({ service })], ...on(event) };
    return [`${service} consumes ${event.name}`, operation] as const;
  });

const messageOf = (event: EventType) => ({
  name: event.name,
  title: event.summary,
  contentType: 'application/cloudevents+json',
  headers: {
    type: 'object',
    properties: { 'Nats-Msg-Id': { type: 'string', format: 'uuid', description: 'The id of the event.' } },
    required: ['Nats-Msg-Id'],
  },
  payload: {
    allOf: [
      { $ref: '#/components/schemas/CloudEvent' },
      {
        type: 'object',
        properties: {
          source: { const: `crm/${event.service}` },
          type: { const: subjectOf(event) },
          subject: { type: 'string', pattern: `^${event.noun}/.` },
          data: schemaOf(event.data),
        },
      },
    ],
  },
});

/** Objects are open, because fields may be added. A format replaces the pattern that zod adds to it. */
function schemaOf(type: z.ZodType) {
  const { $schema, ...schema } = z.toJSONSchema(type, {
    // AsyncAPI schemas are based on it.
    target: 'draft-7',
    io: 'input',
    override({ jsonSchema }) {
      if (jsonSchema.format) delete jsonSchema.pattern;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return schema;
}
