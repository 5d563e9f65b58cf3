import { CloudEvent } from '@crm/events';
import type { Broker } from './broker.ts';
import { findDurable } from './durable.ts';
import { redriveSubject } from './stream.ts';
import { streamOf } from './stream-name.ts';

/** What a consumer has to do with the events of a publisher. */
interface ConsumerProgress {
  /** Each message up to this number was handled or is a dead letter. */
  readonly upTo: number;
  /** The ids of events that wait to be redelivered. */
  readonly redriven: ReadonlySet<string>;
}

/** Undefined if the consumer was never created. */
export async function handledBy(
  broker: Broker,
  publisher: string,
  consumer: string,
): Promise<ConsumerProgress | undefined> {
  const found = await findDurable(broker, publisher, consumer);
  if (!found) return undefined;
  const upTo = found.ack_floor.stream_seq;
  return { upTo, redriven: new Set(await idsRedriven(broker, publisher, consumer, upTo)) };
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

/** A message need not be an event. */
function idIn(data: Uint8Array): string[] {
  try {
    return [CloudEvent.parse(JSON.parse(new TextDecoder().decode(data))).id];
  } catch {
    return [];
  }
}
