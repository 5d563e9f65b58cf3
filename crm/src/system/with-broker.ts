import { type Broker, connectBroker } from '@crm/messaging';
import { createLog } from '@crm/service/process';

/** A connection to the broker for the duration of the work. */
export async function withBroker<Value>(
  url: string,
  work: (broker: Broker) => Promise<Value>,
): Promise<Value> {
  const broker = connectBroker({ url, name: 'crm-command', log: createLog('crm', 'silent') });
  try {
    await broker.ready(5_000);
    return await work(broker);
  } finally {
    await broker.close();
  }
}
