import type { Reference } from '@crm/data';
import type { CloudEvent } from '@crm/events';
import { type Broker, redeliver } from '@crm/messaging';
import type { Clients } from '../start/with-clients.ts';
import type { ServiceName } from '../system/services.ts';
import { type Discrepancy, gather, portion } from './discrepancy.ts';
import { pages } from './pages.ts';

interface Dangling {
  readonly named: number;
  /** The removal that should have ended the reference, if it is known. */
  readonly removal: CloudEvent | undefined;
}

/** Finds ids of rows of another service that do not exist, unless their removal is still being delivered. */
export function verifyReference(
  clients: Clients,
  service: ServiceName,
  reference: Reference,
  broker: Broker | undefined,
): Promise<Discrepancy[]> {
  const { table, column, to, endedBy } = reference;
  const isEnded = endedBy !== undefined && endedBy !== 'never';
  const never = endedBy === 'never' ? 'never existed' : 'do not exist';
  return gather<Dangling>(
    {
      service,
      what: `${table}.${column} of ${to.service}.${to.table} that ${never}`,
      advice: isEnded
        ? 'Run `crm verify --repair`, which has the service handle their removal again. If a removal is unknown, restore the record from a backup.'
        : 'Restore the records that they refer to from a backup.',
    },
    dangling(clients, service, reference),
    ({ named }) => String(named),
    broker && isEnded ? (found) => endAgain(clients, service, broker, found) : undefined,
  );
}

async function* dangling(clients: Clients, service: ServiceName, reference: Reference) {
  const { table, column, where = 'true' } = reference;
  const read = async (last: number) => {
    const { rows } = await clients[service].query<{ id: number }>(
      `select distinct t.${column} as id from ${table} t where t.${column} > $1 and ${where}
       order by id limit ${portion}`,
      [last],
    );
    return rows;
  };
  for await (const named of pages(0, read))
    yield wrongOf(
      clients,
      service,
      reference,
      named.map(({ id }) => id),
    );
}

async function wrongOf(
  clients: Clients,
  service: ServiceName,
  reference: Reference,
  named: readonly number[],
): Promise<Dangling[]> {
  const missing = await missingOf(clients, reference, named);
  if (missing.length === 0) return [];
  const removals = await removalsOf(clients, reference, missing);
  const handled = await handledIn(clients, service, [...removals.values()]);
  const isUnderWay = (id: number) => {
    const removal = removals.get(id);
    return removal !== undefined && !handled.has(removal.id);
  };
  // Rows that were removed and handled since the ids were read are no longer referred to.
  const still = await stillNamed(
    clients,
    service,
    reference,
    missing.filter((id) => !isUnderWay(id)),
  );
  return still.map((id) => ({ named: id, removal: removals.get(id) }));
}

async function missingOf(
  clients: Clients,
  { to, endedBy }: Reference,
  ids: readonly number[],
): Promise<number[]> {
  const client = clients[to.service as ServiceName];
  const last = `coalesce(pg_sequence_last_value(pg_get_serial_sequence('${to.table}', 'id')::regclass), 0)`;
  const { rows } = await client.query<{ id: number }>(
    `select given.id from unnest($1::int[]) as given (id)
     where not exists (select from ${to.table} named where named.id = given.id)
       ${endedBy === 'never' ? `and given.id > ${last}` : ''}`,
    [ids],
  );
  return rows.map(({ id }) => id);
}

/** The last removal of each id that the outbox contains. */
async function removalsOf(clients: Clients, { to, endedBy }: Reference, ids: readonly number[]) {
  if (endedBy === undefined || endedBy === 'never') return new Map<number, CloudEvent>();
  const [, noun = ''] = endedBy.split('.');
  const { rows } = await clients[to.service as ServiceName].query<{ payload: CloudEvent }>(
    `select payload from outbox where subject = $1 and payload ->> 'subject' = any($2) order by id`,
    [`crm.${endedBy}`, ids.map((id) => `${noun}/${id}`)],
  );
  return new Map(rows.map(({ payload }) => [Number(payload.subject.slice(noun.length + 1)), payload]));
}

async function handledIn(
  clients: Clients,
  service: ServiceName,
  events: readonly CloudEvent[],
): Promise<Set<string>> {
  const { rows } = await clients[service].query<{ event_id: string }>(
    'select event_id from inbox where consumer = $1 and event_id = any($2::uuid[])',
    [service, events.map(({ id }) => id)],
  );
  return new Set(rows.map(({ event_id }) => event_id));
}

async function stillNamed(
  clients: Clients,
  service: ServiceName,
  { table, column, where = 'true' }: Reference,
  ids: readonly number[],
): Promise<number[]> {
  const { rows } = await clients[service].query<{ named: number }>(
    `select distinct t.${column} as named from ${table} t where t.${column} = any($1::int[]) and ${where} order by named`,
    [ids],
  );
  return rows.map(({ named }) => named);
}

/** Lets the service handle the removals again, as if it had not; its handlers then remove what is left. */
async function endAgain(clients: Clients, service: ServiceName, broker: Broker, found: readonly Dangling[]) {
  const removals = found.flatMap(({ removal }) => removal ?? []);
  await clients[service].query('delete from inbox where consumer = $1 and event_id = any($2::uuid[])', [
    service,
    removals.map(({ id }) => id),
  ]);
  for (const event of removals) await redeliver(broker, service, event);
  return removals.length;
}
