import { clientTo, settingsFor } from '@crm/data';
import { republish } from '@crm/messaging';
import type { Report } from '../command-line.ts';
import { databaseUrlOf } from '../system/find-system.ts';
import { serviceNames } from '../system/services.ts';
import { stores } from '../system/stores.ts';
import { oneOf, timeOf } from './option-values.ts';

export interface Republication {
  readonly service: string;
  readonly since: string;
}

/** Republishes a service's events since a given time, for a broker that has lost them. */
export async function republishOutbox(env: NodeJS.ProcessEnv, given: Republication): Promise<Report> {
  const service = oneOf('--service', given.service, serviceNames);
  const since = timeOf('--since', given.since);
  const options = settingsFor(stores[service].schema);
  const client = clientTo(databaseUrlOf(env, service), { application_name: 'crm-republish', options });
  try {
    await client.connect();
    const events = await republish(client, { since });
    const time = since.toISOString();
    return {
      json: { service, since: time, events },
      text: `Publishing ${events} events of ${service} since ${time} again.`,
    };
  } finally {
    await client.end().catch(() => undefined);
  }
}
