import { setTimeout as sleep } from 'node:timers/promises';
import { connectBroker, streamOf } from '@crm/messaging';
import { pino } from 'pino';
import type { System } from './system.ts';

interface EventInOrder {
  readonly id: string;
  readonly subject: string;
  readonly aggregateversion: number;
}

const patienceMs = 180_000;

/** Returns when every event was handled by all who consume it; otherwise with what was not. */
async function handled({ settled }: System): Promise<string[]> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const error = await settled().then(
      () => undefined,
      (reason: unknown) => String(reason),
    );
    if (error === undefined) return [];
    if (performance.now() > deadline) return [`lost: ${error}`];
  }
}

/** Compares the outbox of each service with the stream at the broker, event by event. */
export async function checkEvents(system: System): Promise<string[]> {
  const found = await handled(system);
  const broker = connectBroker({ url: system.natsUrl, name: 'checker', log: pino({ level: 'silent' }) });
  try {
    await broker.ready(10_000);
    for (const { name } of system.definitions) {
      const sent = await eventsIn(broker, streamOf(name));
      const written = await unpublished(system, name);
      found.push(...compared(name, written, sent));
      const letters = await system.rows(name, 'select subject, reason from dead_letters');
      found.push(...letters.map(({ subject, reason }) => `${name} could not handle ${subject}: ${reason}`));
    }
  } finally {
    await broker.close();
  }
  return found;
}

/** The ids in the outbox, once all are marked as published. */
async function unpublished({ rows }: System, service: string): Promise<readonly string[]> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const all = await rows(service, 'select event_id, published_at from outbox order by id');
    const isPublished = all.every(({ published_at }) => published_at !== null);
    if (isPublished || performance.now() > deadline) return all.map(({ event_id }) => String(event_id));
    await sleep(500);
  }
}

async function eventsIn(broker: ReturnType<typeof connectBroker>, stream: string): Promise<EventInOrder[]> {
  const { jsm } = broker.session();
  const { state } = await jsm.streams.info(stream);
  const events: EventInOrder[] = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
    const message = await jsm.direct.getMessage(stream, { seq });
    if (message) events.push(message.json<EventInOrder>());
  }
  return events;
}

function compared(service: string, written: readonly string[], sent: readonly EventInOrder[]): string[] {
  const found: string[] = [];
  const times = Map.groupBy(sent, ({ id }) => id);
  for (const id of written) if (!times.has(id)) found.push(`lost: ${service} has not sent the event ${id}`);
  for (const [id, all] of times)
    if (all.length > 1) found.push(`doubled: ${service} has sent the event ${id} ${all.length} times`);
  const versions = new Map<string, number>();
  for (const { subject, aggregateversion } of sent) {
    const before = versions.get(subject) ?? 0;
    if (aggregateversion < before)
      found.push(`reordered: ${service} has sent version ${aggregateversion} of ${subject} after ${before}`);
    versions.set(subject, aggregateversion);
  }
  return found;
}
