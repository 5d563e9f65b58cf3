import type { CloudEvent } from '@crm/events';
import { headers } from '@nats-io/transport-node';
import type { Broker } from './broker.ts';
import { subjectHeader } from './read-event.ts';
import { redelivery } from './stream.ts';
import { streamOf } from './stream-name.ts';

/** Delivers an event to one consumer again. This changes nothing if the event is in its inbox. */
export async function redeliver(broker: Broker, consumer: string, event: CloudEvent): Promise<void> {
  const original = headers();
  original.set(subjectHeader, event.type);
  const { publisher, subject } = redelivery(event.type, consumer);
  const options = { headers: original, expect: { streamName: streamOf(publisher) } };
  await broker.session().js.publish(subject, JSON.stringify(event), options);
}
