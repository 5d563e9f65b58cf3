import { z } from 'zod';
import { CloudEvent } from './cloud-event.ts';
import { consumersOf, type EventConsumer } from './consumers.ts';
import { type EventType, subjectOf } from './define-event.ts';

const description = `What the services tell one another: CloudEvents 1.0 in structured JSON, which no header needs to say.

- Each service has a JetStream stream of its own, \`CRM_<SERVICE>\`, which keeps its events for 14 days.
- A fact and its event are committed together, so an event comes at least once. Who has seen its \`id\` drops it.
- The events of one \`subject\` are sent in order. \`aggregateversion\` tells one that comes late, after a failure.
- Events hold ids, and no personal data or secret. Who wants to know more asks the service that said it.
- Fields may be added; a receiver ignores those that it does not know.`;

/** The AsyncAPI 3.0.0 document of the events and of those who hear of them. */
export function asyncApiDocument(events: readonly EventType[], consumers: readonly EventConsumer[]) {
  return {
    asyncapi: '3.0.0',
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
    address: { default: '127.0.0.1:4222', description: 'Host and port of the variable `NATS_URL`.' },
  },
};

function named<Item, Value>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  makeOf: (item: Item) => Value,
): Record<string, Value> {
  return Object.fromEntries(items.map((item) => [nameOf(item), makeOf(item)]));
}

const channelOf = (event: EventType) => ({
  address: subjectOf(event),
  summary: event.summary,
  servers: [{ $ref: '#/servers/broker' }],
  messages: { [event.name]: { $ref: `#/components/messages/${event.name}` } },
});

/** Whose operation it is. */
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

/** One operation for each service that hears of the event, whatever the number of its handlers. */
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

/** Objects are open, because fields may be added. A format says enough, without the pattern that zod gives beside it. */
function schemaOf(type: z.ZodType) {
  const { $schema, ...schema } = z.toJSONSchema(type, {
    // AsyncAPI builds on it.
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
