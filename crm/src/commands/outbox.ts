import { openDatabase } from '@crm/data';
import { republish } from '@crm/messaging';
import type { Report } from '../command-line.ts';
import { databaseUrlOf } from '../system/find-system.ts';
import { type ServiceName, serviceNames } from '../system/services.ts';
import { stores } from '../system/stores.ts';
import { Unable } from '../system/unable.ts';

export interface Again {
  readonly service: string;
  readonly since: string;
}

/** Sends the events of a service again that it sent since a moment, for a broker that lost them. */
export async function republishOutbox(env: NodeJS.ProcessEnv, given: Again): Promise<Report> {
  const service = serviceNamed(given.service);
  const since = momentIn(given.since);
  const database = await openDatabase({ url: databaseUrlOf(env, service), store: stores[service] });
  try {
    const events = await republish(database.pool, { since });
    const moment = since.toISOString();
    return {
      json: { service, since: moment, events },
      text: `${events} events of ${service} since ${moment} go again.`,
    };
  } finally {
    await database.close();
  }
}

function serviceNamed(text: string): ServiceName {
  const name = serviceNames.find((one) => one === text);
  if (name) return name;
  throw new Unable('Usage', `--service is «${text}», but must be one of ${serviceNames.join(', ')}.`);
}

function momentIn(text: string): Date {
  const moment = /^\d{4}-\d{2}-\d{2}/.test(text) ? new Date(text) : new Date(Number.NaN);
  if (!Number.isNaN(moment.getTime())) return moment;
  throw new Unable('Usage', `--since is «${text}», but must be a moment such as 2026-01-31T12:00:00Z.`);
}
