import { subjectOf } from '@crm/events';
import {
  AckPolicy,
  type ConsumerConfig,
  type ConsumerInfo,
  DeliverPolicy,
  JetStreamApiError,
} from '@nats-io/jetstream';
import { nanos, TimeoutError } from '@nats-io/transport-node';
import type { Broker } from './broker.ts';
import type { Session } from './connection.ts';
import type { ConsumerContext } from './consumer-context.ts';
import { crashPoint } from './crash-point.ts';
import { isMissingStream, redriveSubject } from './stream.ts';
import { streamOf } from './stream-name.ts';

/** The broker's error code for a consumer that exists with other settings. */
const consumerExists = 10148;

/** The broker's error code for a consumer that does not exist. */
const consumerNotFound = 10014;

/** In the metadata of a consumer: subjects that were added and of which earlier events are still to be delivered. */
const addedMark = 'crm-added-subjects';

/**
 * Creates one durable consumer per service and publisher, shared by all instances. The broker itself never gives up on a
 * message, because that would leave no dead letter. Settings are only changed when an instance starts. Subjects are only ever
 * added: otherwise an older instance that starts during a deployment or a rollback would make newer ones miss events. An
 * instance that has no handler for an event leaves it to another instance, and finally to the dead letters. Returns whether
 * nothing is left to change.
 */
export async function ensureDurable(
  context: ConsumerContext,
  publisher: string,
  mayChange: boolean,
): Promise<boolean> {
  const { service, subscriptions, ackWaitMs, maxAckPending, broker } = context;
  const events = subscriptions
    .map((subscription) => subscription.event)
    .filter((event) => event.service === publisher);
  const settings = {
    filter_subjects: [...new Set(events.map(subjectOf)), `${redriveSubject(publisher, service)}.>`],
    ack_wait: nanos(ackWaitMs),
    max_ack_pending: maxAckPending,
    max_deliver: -1,
  };
  const fixed = { durable_name: service, ack_policy: AckPolicy.Explicit, deliver_policy: DeliverPolicy.All };
  try {
    await broker.session().jsm.consumers.add(streamOf(publisher), { ...fixed, ...settings });
    return true;
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== consumerExists) throw error;
    return !mayChange || (await change(context, publisher, settings));
  }
}

/**
 * Changes the settings and adds subjects. The broker delivers only what comes after the position of a consumer, so that is then
 * set back to the first event of an added subject; the inbox detects what was handled. The subjects are marked with the change,
 * and the mark is removed last: after a crash in between, the next instance that starts finds it. Returns whether the position
 * is where it should be.
 */
async function change(
  { service, broker, log }: ConsumerContext,
  publisher: string,
  settings: Partial<ConsumerConfig> & { filter_subjects: string[] },
): Promise<boolean> {
  const { consumers } = broker.session().jsm;
  const stream = streamOf(publisher);
  const { config } = await consumers.info(stream, service);
  const present = new Set(filtersOf(config));
  const marked = config.metadata?.[addedMark]?.split(' ') ?? [];
  const added = new Set(settings.filter_subjects).difference(present).union(new Set(marked));
  const filter_subjects = [...present.union(added)];
  const metadata: Record<string, string> = added.size > 0 ? { [addedMark]: [...added].join(' ') } : {};
  await consumers.update(stream, service, { ...settings, filter_subjects, metadata });
  if (added.size === 0) return true;
  await crashPoint('durable.changed');
  try {
    await goBackTo([...added], broker.session(), stream, service);
  } catch (error) {
    // The caller starts over. Anything else, such as a missing permission, must not keep the service from reading what comes.
    if (error instanceof TimeoutError || !broker.connected()) throw error;
    log.warn({ err: error, publisher }, notRewound);
    return false;
  }
  await consumers.update(stream, service, { metadata: {} });
  return true;
}

/**
 * Sets the position of a consumer back to the first message of a subject, but never past one that is not acknowledged. Its
 * position may be anywhere behind the last message that it delivered: a request for more moves it past those of other subjects.
 */
async function goBackTo(subjects: readonly string[], { jsm }: Session, stream: string, service: string) {
  const found = await Promise.all(
    subjects.map((subject) => {
      const first = { seq: 1, next_by_subj: subject };
      // Not from a replica, which may be behind.
      return jsm.streams.getMessage(stream, first);
    }),
  );
  const earliest = Math.min(...found.map((message) => message?.seq ?? Number.POSITIVE_INFINITY));
  if (earliest === Number.POSITIVE_INFINITY) return;
  const { ack_floor } = await jsm.consumers.info(stream, service);
  await jsm.consumers.reset(stream, service, Math.min(earliest, ack_floor.stream_seq + 1));
}

const notRewound =
  'events from before the service subscribed to them have to wait: renew the users of NATS, which needs version 2.14';

/** The subjects of a consumer. The broker returns a single one in another field than several. */
export const filtersOf = ({ filter_subject, filter_subjects = [] }: ConsumerConfig) =>
  filter_subject ? [filter_subject] : filter_subjects;

/** The durable consumer of a service; undefined if there is none, or no stream of the publisher. */
export async function findDurable(
  broker: Broker,
  publisher: string,
  service: string,
): Promise<ConsumerInfo | undefined> {
  try {
    return await broker.session().jsm.consumers.info(streamOf(publisher), service);
  } catch (error) {
    const isMissing = error instanceof JetStreamApiError && error.code === consumerNotFound;
    if (isMissing || isMissingStream(error)) return undefined;
    throw error;
  }
}
