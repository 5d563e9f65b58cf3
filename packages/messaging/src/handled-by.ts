import { CloudEvent } from '@crm/events';
import { JetStreamApiError } from '@nats-io/jetstream';
import type { Broker } from './broker.ts';
import { listDeadLetters } from './dead-letters.ts';
import { redriveSubject, streamOf } from './stream.ts';

/** What a consumer has to do with the events of a publisher. */
export interface Handled {
  /** Each message up to this number was handled or is a dead letter. */
  readonly upTo: number;
  /** The ids of events that are dead letters or wait to be redelivered. */
  readonly elsewhere: ReadonlySet<string>;
}

/** The error code of the broker for a consumer that does not exist. */
const consumerNotFound = 10014;

/** Undefined if the consumer was never created. */
export async function handledBy(
  broker: Broker,
  publisher: string,
  consumer: string,
): Promise<Handled | undefined> {
  try {
    const { ack_floor } = await broker.session().jsm.consumers.info(streamOf(publisher), consumer);
    const upTo = ack_floor.stream_seq;
    const redriven = await idsRedriven(broker, publisher, consumer, upTo);
    // Afterwards, because an event that is redriven stops being a dead letter.
    return { upTo, elsewhere: new Set([...redriven, ...(await idsOfLetters(broker, consumer))]) };
  } catch (error) {
    if (error instanceof JetStreamApiError && error.code === consumerNotFound) return undefined;
    throw error;
  }
}

async function idsRedriven(broker: Broker, publisher: string, consumer: string, after: number) {
  const ids: string[] = [];
  const next_by_subj = `${redriveSubject(publisher, consumer)}.>`;
  for (let seq = after; ; ) {
    const stored = await broker
      .session()
      .jsm.direct.getMessage(streamOf(publisher), { seq: seq + 1, next_by_subj });
    if (!stored) return ids;
    ids.push(...idIn(stored.data));
    seq = stored.seq;
  }
}

async function idsOfLetters(broker: Broker, service: string): Promise<string[]> {
  const ids: string[] = [];
  for (let after = 0; ; ) {
    const letters = await listDeadLetters(broker, { service, after });
    ids.push(...letters.flatMap(({ data }) => idIn(data)));
    const last = letters.at(-1);
    if (!last) return ids;
    after = last.seq;
  }
}

/** A message may be dead because it is no event. */
function idIn(data: Uint8Array): string[] {
  try {
    return [CloudEvent.parse(JSON.parse(new TextDecoder().decode(data))).id];
  } catch {
    return [];
  }
}
