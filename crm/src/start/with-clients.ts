import { clientTo, noticingLoss, settingsFor } from '@crm/data';
import type pg from 'pg';
import { inOrder, type ServiceName } from '../system/services.ts';
import { stores } from '../system/stores.ts';
import type { Urls } from './with-databases.ts';

/** A connection to the database of each service. */
export type Clients = Readonly<Record<ServiceName, pg.Client>>;

/** Connects to all databases for the duration of the work. */
export async function withClients<Value>(
  urls: Urls,
  work: (clients: Clients) => Promise<Value>,
): Promise<Value> {
  await using opened = new AsyncDisposableStack();
  const clients = await inOrder(async (name) => {
    const client = await connectTo(urls[name], stores[name].schema);
    opened.defer(() => client.end());
    return client;
  });
  return await work(clients);
}

/** A connection to the database of a service without time limits, because all rows of a table may be read at once. */
export async function connectTo(url: string, schema: string): Promise<pg.Client> {
  const options = `${settingsFor(schema)} ${noticingLoss} -c statement_timeout=0 -c transaction_timeout=0 -c idle_in_transaction_session_timeout=0 -c synchronize_seqscans=off`;
  const client = clientTo(url, { application_name: 'crm-backup', options });
  await client.connect();
  return client;
}
