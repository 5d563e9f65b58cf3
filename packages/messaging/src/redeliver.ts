import type { CloudEvent } from '@crm/events';
import { headers } from '@nats-io/transport-node';
import type { Broker } from './broker.ts';
import { subjectHeader } from './dead-letter.ts';
import { redriveSubject, streamOf } from './stream.ts';

/** Delivers an event of a publisher to one consumer again. If its inbox has the event, that changes nothing. */
export async function redeliver(
  broker: Broker,
  {
    publisher,
    consumer,
    event,
  }: { readonly publisher: string; readonly consumer: string; readonly event: CloudEvent },
): Promise<void> {
  const original = headers();
  original.set(subjectHeader, event.type);
  const [, , ...rest] = event.type.split('.');
  await broker
    .session()
    .js.publish(`${redriveSubject(publisher, consumer)}.${rest.join('.')}`, JSON.stringify(event), {
      headers: original,
      expect: { streamName: streamOf(publisher) },
    });
}
