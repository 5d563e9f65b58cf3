import {
  type MessageTable,
  markFinished,
  markUnfinished,
  migrate,
  type Store,
  type Unfinished,
  withheldReason,
} from '@crm/data';
import type pg from 'pg';
import type { Clients } from '../start/with-clients.ts';
import type { Urls } from '../start/with-databases.ts';
import { inOrder, type ServiceName, serviceNames } from '../system/services.ts';
import { stores } from '../system/stores.ts';

/** Whether nothing was ever stored in the database of a service. */
export async function isEmpty(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query("select to_regclass('migrations') is null as is_empty");
  return rows[0]?.is_empty;
}

/** The mark prevents services from starting with a part of the data, even if the command is interrupted. */
export async function markAll(clients: Clients, command: Unfinished): Promise<void> {
  for (const name of serviceNames) await markUnfinished(clients[name], stores[name].schema, command);
}

/**
 * Withholds what was due before the data was restored to an earlier moment, because it may have been sent since then, and allows
 * the services to start. Returns how much was withheld. Repeating it withholds only what has become due.
 */
export async function withholdAll(
  urls: Urls,
  clients: Clients,
  during: Unfinished,
): Promise<Record<ServiceName, number>> {
  for (const name of serviceNames) await migrate(urls[name], stores[name], { during });
  const withheld = await inOrder((name) => withhold(clients[name], stores[name]));
  for (const name of serviceNames) await markFinished(clients[name], stores[name].schema);
  return withheld;
}

/** Withholds what was due in the database of one service. */
export async function withhold(client: pg.Client, { messages = [], onRestore = [] }: Store): Promise<number> {
  await client.query('begin');
  let withheld = 0;
  for (const table of messages.filter(({ isWithheldWhenDue }) => !isWithheldWhenDue))
    withheld += await failDue(client, table);
  for (const statement of onRestore) withheld += (await client.query(statement)).rows.length;
  await client.query('commit');
  return withheld;
}

async function failDue(client: pg.Client, { name, state, reason, waiting }: MessageTable): Promise<number> {
  const { rowCount } = await client.query(
    `update ${name} set ${state} = 'Failed', ${reason} = $1, lease_until = null
     where ${state} in ($2, 'Sending', 'Unknown') and next_attempt_at <= now()`,
    [withheldReason, waiting],
  );
  return rowCount ?? 0;
}

export const totalOf = (withheld: Readonly<Record<ServiceName, number>>): number =>
  Object.values(withheld).reduce((sum, one) => sum + one, 0);
