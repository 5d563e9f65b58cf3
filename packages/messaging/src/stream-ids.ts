import type { Broker } from './broker.ts';
import { streamOf, subjectsOf } from './stream-name.ts';

/** An event in a stream, by its id and the number of the message. */
interface StreamedEvent {
  readonly id: string;
  readonly seq: number;
}

const portion = 2_000;
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The events in the stream of a service in portions, without their contents. */
export async function* listStreamed(broker: Broker, service: string): AsyncGenerator<StreamedEvent[]> {
  const consumer = await broker.session().js.consumers.get(streamOf(service), {
    filter_subjects: [subjectsOf(service)],
    headers_only: true,
  });
  let { num_pending: left } = await consumer.info(true);
  while (left > 0) {
    const found: StreamedEvent[] = [];
    let received = 0;
    for await (const message of await consumer.fetch({
      max_messages: Math.min(left, portion),
      expires: 10_000,
    })) {
      received++;
      const id = message.headers?.get('Nats-Msg-Id') ?? '';
      if (uuid.test(id)) found.push({ id, seq: message.seq });
    }
    if (received === 0) throw new Error(`The stream of ${service} could not be read to its end.`);
    left -= received;
    yield found;
  }
}
