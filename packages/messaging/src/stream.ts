import { isDeepStrictEqual } from 'node:util';
import { streamDays } from '@crm/events';
import {
  DiscardPolicy,
  JetStreamApiError,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { nanos, PermissionViolationError } from '@nats-io/transport-node';
import type { Broker } from './broker.ts';
import { redrivePrefix, streamOf, subjectsOf } from './stream-name.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** Twice the size of the largest event, so that there is room for its headers. */
const maxMessageBytes = 512 * 1024;

/** The broker's error code for a stream that exists with other settings. */
const nameInUse = 10058;

/** The broker's error code for a stream that does not exist. */
const streamNotFound = 10059;

/** Whether something failed because a stream does not exist, or no longer exists. */
export const isMissingStream = (error: unknown): boolean =>
  error instanceof JetStreamApiError && error.code === streamNotFound;

/** The subject under which a message is redelivered to one consumer only; each consumer receives its own. */
export const redriveSubject = (publisher: string, consumer: string) =>
  `${redrivePrefix}${publisher}.${consumer}`;

/** Where a message of a subject is published to be redelivered to one consumer. */
export function redelivery(original: string, consumer: string) {
  const [, publisher = '', ...rest] = original.split('.');
  return { publisher, subject: `${redriveSubject(publisher, consumer)}.${rest.join('.')}` };
}

/** The publisher itself creates its stream, or updates the settings of an existing one. Safe to call concurrently. */
export async function ensureStream(broker: Broker, service: string): Promise<void> {
  const config = {
    name: streamOf(service),
    subjects: [subjectsOf(service), `${redrivePrefix}${service}.>`],
    max_age: nanos(streamDays * day),
    max_msg_size: maxMessageBytes,
    deny_delete: true,
    deny_purge: true,
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    // Otherwise the oldest message would be dropped silently; this way the outbox waits and logs it.
    discard: DiscardPolicy.New,
    duplicate_window: nanos(10 * minute),
    allow_direct: true,
    num_replicas: broker.replicas,
  };
  // Not by creating it again: a cluster would then report it as a new stream.
  const found = await settingsOf(broker, config.name);
  if (found && has(found, config)) return;
  if (found) return update(broker, config);
  try {
    await broker.session().jsm.streams.add(config);
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== nameInUse) throw error;
    await update(broker, config);
  }
}

const has = (found: StreamConfig, wanted: Partial<StreamConfig>): boolean =>
  isDeepStrictEqual({ ...found, ...wanted }, found);

async function settingsOf(broker: Broker, name: string): Promise<StreamConfig | undefined> {
  try {
    return (await broker.session().jsm.streams.info(name)).config;
  } catch (error) {
    if (isMissingStream(error)) return undefined;
    throw error;
  }
}

/** The services among these whose streams exist, with or without events. */
export async function servicesWithStreams<Service extends string>(
  broker: Broker,
  services: readonly Service[],
): Promise<Service[]> {
  const found = await Promise.all(services.map((service) => settingsOf(broker, streamOf(service))));
  return services.filter((_service, index) => found[index]);
}

async function update(broker: Broker, config: Partial<StreamConfig> & { name: string }) {
  try {
    await broker.session().jsm.streams.update(config.name, config);
  } catch (error) {
    if (!(error instanceof JetStreamApiError || error instanceof PermissionViolationError)) throw error;
    broker.log.error({ err: error, stream: config.name }, 'the settings of a stream cannot be changed');
  }
}
