import {
  DiscardPolicy,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Broker } from './broker.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** Twice the largest event with its headers, so that the dead letter of any message still fits the broker. */
const largestMessage = 512 * 1024;

/** The code by which the broker says that a stream of this name exists with other settings. */
const nameInUse = 10058;

export const deadLetters = 'CRM_DEAD_LETTERS';

export const streamOf = (service: string) => `CRM_${service.toUpperCase().replaceAll('-', '_')}`;

/** Where a message is told again to one listener alone; every listener's consumer hears its own. */
export const redriveSubject = (publisher: string, listener: string) => `crm-redrive.${publisher}.${listener}`;

/** Makes the stream of a publisher, or brings an existing one to these settings; safe to call by many at once. */
export async function ensureStream(broker: Broker, service: string): Promise<void> {
  await ensure(broker, {
    name: streamOf(service),
    subjects: [`crm.${service}.>`, `crm-redrive.${service}.>`],
    max_age: nanos(14 * day),
    max_msg_size: largestMessage,
    deny_delete: true,
    deny_purge: true,
  });
}

/**
 * Makes the stream of what could not be handled. Its messages do not age, because somebody must look at each,
 * and can be deleted singly, because redriving removes them.
 */
export async function ensureDeadLetterStream(broker: Broker): Promise<void> {
  await ensure(broker, { name: deadLetters, subjects: ['crm-dead-letters.>'], deny_purge: true });
}

async function ensure(broker: Broker, settings: Partial<StreamConfig> & { name: string }) {
  const { streams } = broker.session().jsm;
  const config = {
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    // The oldest would otherwise give way silently; so the outbox waits, and says so.
    discard: DiscardPolicy.New,
    duplicate_window: nanos(10 * minute),
    allow_direct: true,
    num_replicas: broker.replicas,
    ...settings,
  };
  try {
    await streams.add(config);
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== nameInUse) throw error;
    await update(broker, config);
  }
}

async function update(broker: Broker, config: Partial<StreamConfig> & { name: string }) {
  try {
    await broker.session().jsm.streams.update(config.name, config);
  } catch (error) {
    if (!(error instanceof JetStreamApiError)) throw error;
    broker.log.error({ err: error, stream: config.name }, 'a stream keeps settings that cannot be changed');
  }
}
