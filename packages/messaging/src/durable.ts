import { subjectOf } from '@crm/events';
import {
  AckPolicy,
  type ConsumerConfig,
  type ConsumerInfo,
  DeliverPolicy,
  JetStreamApiError,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Broker } from './broker.ts';
import type { ConsumerContext } from './consumer-context.ts';
import { isMissingStream, redriveSubject } from './stream.ts';
import { streamOf } from './stream-name.ts';

/** The broker's error code for a consumer that exists with other settings. */
const consumerExists = 10148;

/** The broker's error code for a consumer that does not exist. */
const consumerNotFound = 10014;

/**
 * Creates one durable consumer per service and publisher, shared by all instances. The broker itself never gives up on a
 * message, because that would leave no dead letter. Settings are only changed when an instance starts. Subjects are only ever
 * added: otherwise an older instance that starts during a deployment or a rollback would make newer ones miss events. An
 * instance that has no handler for an event leaves it to another instance, and finally to the dead letters.
 */
export async function ensureDurable(
  context: ConsumerContext,
  publisher: string,
  mayChange: boolean,
): Promise<void> {
  const { service, subscriptions, ackWaitMs, maxAckPending, broker } = context;
  const { consumers } = broker.session().jsm;
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
    await consumers.add(streamOf(publisher), { ...fixed, ...settings });
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== consumerExists) throw error;
    if (!mayChange) return;
    const { config } = await consumers.info(streamOf(publisher), service);
    const filter_subjects = [...new Set([...filtersOf(config), ...settings.filter_subjects])];
    await consumers.update(streamOf(publisher), service, { ...settings, filter_subjects });
  }
}

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
