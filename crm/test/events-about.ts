import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CloudEvent } from '@crm/events';
import { type Broker, streamOf } from '@crm/messaging';
import { withBroker } from '../src/system/with-broker.ts';

/** The events that a service has published about one aggregate, such as `contact/42`. */
export function eventsAbout(folder: string, service: string, aggregate: string): Promise<CloudEvent[]> {
  return withBrokerOf(folder, async (broker) =>
    (await eventsOf(broker, service)).filter(({ subject }) => subject === aggregate),
  );
}

/** How many events a service has published. */
export function countEvents(folder: string, service: string): Promise<number> {
  return withBrokerOf(folder, async (broker) => {
    const { state } = await broker.session().jsm.streams.info(streamOf(service));
    return state.messages;
  });
}

function withBrokerOf<Value>(folder: string, work: (broker: Broker) => Promise<Value>): Promise<Value> {
  const { natsUrl } = JSON.parse(readFileSync(join(folder, 'system.json'), 'utf8'));
  return withBroker(natsUrl, work);
}

async function eventsOf(broker: Broker, service: string): Promise<CloudEvent[]> {
  const found: CloudEvent[] = [];
  let seq = 0;
  for (;;) {
    const query = { seq: seq + 1, next_by_subj: `crm.${service}.>` };
    const stored = await broker.session().jsm.direct.getMessage(streamOf(service), query);
    if (!stored) return found;
    found.push(JSON.parse(new TextDecoder().decode(stored.data)) as CloudEvent);
    seq = stored.seq;
  }
}
