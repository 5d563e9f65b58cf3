import type { Broker } from '@crm/messaging';
import { type Clients, withClients } from '../start/with-clients.ts';
import type { Urls } from '../start/with-databases.ts';
import { readsEventsOf, type ServiceName, serviceNames } from '../system/services.ts';
import { stores, subscriptionsOf } from '../system/stores.ts';
import { verifyCopy } from './copies.ts';
import { verifyDerived } from './derived.ts';
import type { Discrepancy } from './discrepancy.ts';
import { verifyInbox } from './inboxes.ts';
import { verifyReference } from './references.ts';
import { verifyRows } from './rows.ts';
import { verifyStream } from './streams.ts';
import { verifyUnpublished } from './unpublished.ts';

export type { Urls };

export interface Verification {
  readonly urls: Urls;
  /** Undefined if it cannot be reached; streams are then not compared. */
  readonly broker: Broker | undefined;
  /** Whether to fix what can be fixed without loss. */
  readonly repair: boolean;
}

/** Compares everything that must be consistent, whether or not the system is running. */
export function verifySystem({ urls, broker, repair }: Verification): Promise<Discrepancy[]> {
  return withClients(urls, async (clients) => {
    const found: Discrepancy[] = [];
    for (const name of serviceNames) found.push(...(await verifyService(clients, name, broker, repair)));
    if (broker) found.push(...(await verifyEvents(clients, broker, repair)));
    return found;
  });
}

async function verifyService(
  clients: Clients,
  name: ServiceName,
  broker: Broker | undefined,
  repair: boolean,
): Promise<Discrepancy[]> {
  const store = stores[name];
  const { references = [], derived = [], copies = [] } = store.consistency ?? {};
  const found = await verifyRows(clients[name], name, store, repair);
  for (const columns of derived) found.push(...(await verifyDerived(clients[name], name, columns, repair)));
  for (const reference of references)
    found.push(...(await verifyReference(clients, name, reference, repair ? broker : undefined)));
  for (const copy of copies) found.push(...(await verifyCopy(clients, name, copy)));
  return [...found, ...(await verifyUnpublished(clients[name], name))];
}

async function verifyEvents(clients: Clients, broker: Broker, repair: boolean): Promise<Discrepancy[]> {
  const found: Discrepancy[] = [];
  for (const name of serviceNames) found.push(...(await verifyStream(clients[name], name, broker, repair)));
  for (const consumer of serviceNames)
    for (const publisher of readsEventsOf[consumer]) {
      const own = subscriptionsOf[consumer].filter(({ event }) => event.service === publisher);
      const events = [...new Set(own.map(({ event }) => event.name))];
      found.push(...(await verifyInbox(clients, broker, { publisher, consumer, events }, repair)));
    }
  return found;
}
