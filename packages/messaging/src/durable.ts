import { subjectOf } from '@crm/events';
import { AckPolicy, DeliverPolicy, JetStreamApiError } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { ConsumerContext } from './consumer-context.ts';
import { redriveSubject, streamOf } from './stream.ts';

/** The broker's error code for a consumer that exists with other settings. */
const consumerExists = 10148;

/**
 * Creates one durable consumer per service and publisher, shared by all instances. The broker itself never gives up on
 * a message, because it would do so without a dead letter. Settings are only changed when an instance starts: an older
 * instance that reconnects during a deployment must not remove the subscriptions of newer ones.
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
    if (mayChange) await consumers.update(streamOf(publisher), service, settings);
  }
}
