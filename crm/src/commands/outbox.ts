import { clientTo, settingsFor } from '@crm/data';
import { republish } from '@crm/messaging';
import type { Report } from '../command-line.ts';
import { databaseUrlOf } from '../system/find-system.ts';
import { type ServiceName, serviceNames } from '../system/services.ts';
import { stores } from '../system/stores.ts';
import { Unable } from '../system/unable.ts';

export interface Republication {
  readonly service: string;
  readonly since: string;
}

/** Publishes a service's events since a given time again, for a broker that has lost them. */
export async function republishOutbox(env: NodeJS.ProcessEnv, given: Republication): Promise<Report> {
  const service = serviceNamed(given.service);
  const since = timeIn(given.since);
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

function serviceNamed(text: string): ServiceName {
  const name = serviceNames.find((one) => one === text);
  if (name) return name;
  throw new Unable('Usage', `--service is "${text}" but must be one of ${serviceNames.join(', ')}.`);
}

function timeIn(text: string): Date {
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? new Date(text) : new Date(Number.NaN);
  if (!Number.isNaN(time.getTime())) return time;
  throw new Unable('Usage', `--since is "${text}" but must be a time such as 2026-01-31T12:00:00Z.`);
}
