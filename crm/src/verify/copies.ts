import type { Copy } from '@crm/data';
import type { Clients } from '../start/with-clients.ts';
import type { ServiceName } from '../system/services.ts';
import { type Discrepancy, gather, portion } from './discrepancy.ts';
import { pages } from './pages.ts';

type Copied = Readonly<Record<string, unknown>> & { readonly id: number };

/** Compares rows with their copies in another service, unless an event that may update them is still being delivered. */
export function verifyCopy(clients: Clients, service: ServiceName, copy: Copy): Promise<Discrepancy[]> {
  const { table, of } = copy;
  return gather<Copied>(
    {
      service,
      what: `${table} that differ from ${of.service}.${of.table}`,
      advice: `Save the record in ${of.service} once more, which publishes its event, or restore it from a backup.`,
    },
    outdated(clients, service, copy),
    ({ id }) => String(id),
    undefined,
  );
}

async function* outdated(clients: Clients, service: ServiceName, copy: Copy) {
  const { table, columns, where, of } = copy;
  const listed = ['id', ...columns].join(', ');
  const source = clients[of.service as ServiceName];
  const read = async (last: number) => {
    const { rows } = await source.query<Copied>(
      `select ${listed} from ${of.table} where id > $1 order by id limit ${portion}`,
      [last],
    );
    return rows;
  };
  for await (const rows of pages(0, read)) {
    const { rows: copies } = await clients[service].query<Copied>(
      `select ${listed} from ${table} where id = any($1::int[]) and ${where}`,
      [rows.map(({ id }) => id)],
    );
    const known = new Map(copies.map((row) => [row.id, row]));
    const wrong = rows.filter((row) => columns.some((column) => known.get(row.id)?.[column] !== row[column]));
    yield wrong.length > 0 && (await isUnderWay(clients, service, copy)) ? [] : wrong;
  }
}

const latestEvents = 10_000;

/** Whether any of the latest events about the rows has not been handled yet. */
async function isUnderWay(clients: Clients, service: ServiceName, { of, events }: Copy): Promise<boolean> {
  const { rows } = await clients[of.service as ServiceName].query<{ event_id: string }>(
    `select event_id from outbox where subject = any($1) order by id desc limit ${latestEvents}`,
    [events.map((name) => `crm.${name}`)],
  );
  const { rows: open } = await clients[service].query(
    `select from unnest($1::uuid[]) id
     where not exists (select from inbox where consumer = $2 and event_id = id) limit 1`,
    [rows.map(({ event_id }) => event_id), service],
  );
  return open.length > 0;
}
