import type { ConsumerInfo } from '@nats-io/jetstream';
import type { Broker } from './broker.ts';
import { filtersOf } from './durable.ts';
import { streamOf } from './stream-name.ts';

/** Events that a service has not handled yet. */
export interface Backlog {
  readonly publisher: string;
  readonly consumer: string;
  readonly waiting: number;
  /** When the oldest of them was published. */
  readonly since: Date;
}

/** The events of these services that others have not handled yet, as seen by the user of the crm command. */
export async function listBacklogs(broker: Broker, publishers: readonly string[]): Promise<Backlog[]> {
  const found = await Promise.all(publishers.map((publisher) => backlogsOf(broker, publisher)));
  return found.flat();
}

/** How many events of a publisher a service has not handled yet, as far as the service itself may find out. */
export async function waitingFor(broker: Broker, publisher: string, consumer: string): Promise<number> {
  const { num_pending, num_ack_pending } = await broker
    .session()
    .jsm.consumers.info(streamOf(publisher), consumer);
  return num_pending + num_ack_pending;
}

async function backlogsOf(broker: Broker, publisher: string): Promise<Backlog[]> {
  const { consumers } = broker.session().jsm;
  const found: Backlog[] = [];
  for await (const info of consumers.list(streamOf(publisher))) {
    const waiting = info.num_pending + info.num_ack_pending;
    if (waiting === 0) continue;
    const since = await oldestOf(broker, publisher, info);
    if (since) found.push({ publisher, consumer: info.name, waiting, since });
  }
  return found;
}

/** When the first message that the consumer has yet to acknowledge was stored. */
async function oldestOf(broker: Broker, publisher: string, { ack_floor, config }: ConsumerInfo) {
  const { direct } = broker.session().jsm;
  const seq = ack_floor.stream_seq + 1;
  const firsts = await Promise.all(
    filtersOf(config).map((subject) =>
      direct.getMessage(streamOf(publisher), { seq, next_by_subj: subject }),
    ),
  );
  return firsts
    .flatMap((message) => message?.time ?? [])
    .toSorted((one, other) => one.getTime() - other.getTime())
    .at(0);
}
