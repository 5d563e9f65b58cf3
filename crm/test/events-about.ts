import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CloudEvent } from '@crm/events';
import { type Broker, connectBroker, streamOf } from '@crm/messaging';
import { createLog } from '@crm/service/process';

/** The events that a service has published about one aggregate, such as `contact/42`. */
export function eventsAbout(folder: string, service: string, aggregate: string): Promise<CloudEvent[]> {
  return withBroker(folder, async (broker) =>
    (await eventsOf(broker, service)).filter(({ subject }) => subject === aggregate),
  );
}

/** How many events a service has published. */
export function countEvents(folder: string, service: string): Promise<number> {
  return withBroker(folder, async (broker) => {
    const { state } = await broker.session().jsm.streams.info(streamOf(service));
    return state.messages;
  });
}

async function withBroker<Value>(folder: string, work: (broker: Broker) => Promise<Value>): Promise<Value> {
  const { natsUrl } = JSON.parse(readFileSync(join(folder, 'system.json'), 'utf8'));
  const broker = connectBroker({ url: natsUrl, name: 'crm-test', log: createLog('test', 'silent') });
  try {
    await broker.ready(5_000);
    return await work(broker);
  } finally {
    await broker.close();
  }
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
