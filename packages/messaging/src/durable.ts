import { subjectOf } from '@crm/events';
import { AckPolicy, DeliverPolicy, JetStreamApiError } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Listener } from './listener.ts';
import { redriveSubject, streamOf } from './stream.ts';

/** The code by which the broker says that a consumer of this name exists with other settings. */
const consumerExists = 10148;

/**
 * One durable consumer per listener and publisher, shared by all instances. The broker itself never gives up on
 * a message, because it would do so without a dead letter. Settings are changed once, when an instance starts:
 * an older instance that reconnects while newer ones take over must not take their subscriptions away.
 */
export async function ensureDurable(
  listener: Listener,
  publisher: string,
  mayChange: boolean,
): Promise<void> {
  const { service, subscriptions, ackWaitMs, maxAckPending, broker } = listener;
  const { consumers } = broker.session().jsm;
  const heard = subscriptions
    .map((subscription) => subscription.event)
    .filter((event) => event.service === publisher);
  const settings = {
    filter_subjects: [...new Set(heard.map(subjectOf)), `${redriveSubject(publisher, service)}.>`],
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
