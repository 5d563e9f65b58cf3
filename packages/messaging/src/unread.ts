import { setTimeout as sleep } from 'node:timers/promises';
import type { ConsumerInfo } from '@nats-io/jetstream';
import type { Broker } from './broker.ts';
import { findDurable } from './durable.ts';

/** The events of a publisher that a service does not read. */
export interface Unread {
  readonly publisher: string;
  readonly consumer: string;
  /** Whether there is a durable consumer that nobody asks for messages. */
  readonly exists: boolean;
}

/**
 * A service that has just started creates its consumers within a second or two, and a request for messages ends before
 * the next.
 */
const looks = 10;
const betweenMs = 300;

/** The publishers that services should read but do not, by service, as seen by the user of the crm command. */
export async function listUnread(
  broker: Broker,
  reads: Readonly<Record<string, readonly string[]>>,
): Promise<Unread[]> {
  const wanted = Object.entries(reads).flatMap(([consumer, publishers]) =>
    publishers.map((publisher) => ({ consumer, publisher })),
  );
  const found = await Promise.all(wanted.map((one) => unreadIn(broker, one)));
  return found.flatMap((one) => one ?? []);
}

async function unreadIn(
  broker: Broker,
  wanted: Pick<Unread, 'consumer' | 'publisher'>,
): Promise<Unread | undefined> {
  let info: ConsumerInfo | undefined;
  for (let look = 0; look < looks; look++) {
    if (look > 0) await sleep(betweenMs);
    info = await findDurable(broker, wanted.publisher, wanted.consumer);
    if (info && isRead(info)) return undefined;
  }
  return { ...wanted, exists: info !== undefined };
}

/** A consumer that reads events has asked for more, or is busy with some. */
const isRead = ({ num_waiting, num_ack_pending }: ConsumerInfo) => num_waiting > 0 || num_ack_pending > 0;
