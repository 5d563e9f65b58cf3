import { streamDays } from '@crm/events';
import { type Broker, isRepublishable, listStreamed, pendingAgain } from '@crm/messaging';
import type pg from 'pg';
import type { ServiceName } from '../system/services.ts';
import { type Counted, type Discrepancy, examplesShown, gather, portion, unrepaired } from './discrepancy.ts';
import { pages } from './pages.ts';

/**
 * Compares an outbox with its stream. The ids in the stream are copied into a temporary table of the connection, where the
 * database compares them, however many there are.
 */
export async function verifyStream(
  client: pg.Client,
  service: ServiceName,
  broker: Broker,
  repair: boolean,
): Promise<Discrepancy[]> {
  const { rows } = await client.query<{ now: string }>("select to_json(now()) #>> '{}' as now");
  await copyStream(client, service, broker);
  const missing = await gather<Missing>(
    {
      service,
      what: 'events that were published and are not in the stream',
      advice:
        'Run `crm verify --repair`, which publishes them again; consumers ignore those they have handled.',
    },
    missingIn(client, rows[0]?.now ?? ''),
    ({ event_id }) => event_id,
    repair ? (found) => publishAgain(client, found) : undefined,
  );
  return [...missing, ...(await strangers(client, service))];
}

async function copyStream(client: pg.Client, service: ServiceName, broker: Broker): Promise<void> {
  await client.query('create temporary table streamed (event_id uuid not null, seq bigint not null)');
  for await (const events of listStreamed(broker, service))
    await client.query('insert into streamed select * from unnest($1::uuid[], $2::bigint[])', [
      events.map(({ id }) => id),
      events.map(({ seq }) => seq),
    ]);
  await client.query('create index on streamed (event_id)');
  await client.query('analyze streamed');
}

interface Missing {
  readonly id: string;
  readonly event_id: string;
}

/**
 * Events that should still be in the stream, which removes events by age; the last hour before that is excluded. A row is marked
 * with the start time of its batch, which takes up to a minute.
 */
function missingIn(client: pg.Client, now: string) {
  return pages<Missing>('0', async (last) => {
    const { rows } = await client.query<Missing>(
      `select id, event_id from outbox o
       where published_at between $1::timestamptz - interval '${24 * streamDays - 1} hours' and $1::timestamptz - interval '1 minute'
         and ${isRepublishable}
         and id > $2 and not exists (select from streamed s where s.event_id = o.event_id)
       order by id limit ${portion}`,
      [now, last],
    );
    return rows;
  });
}

/** Marks them as not published; the relay is notified when the transaction commits. */
async function publishAgain(client: pg.Client, found: readonly Missing[]): Promise<number> {
  const { rowCount } = await client.query(
    `update outbox set ${pendingAgain} where id = any($1::bigint[]) and published_at is not null`,
    [found.map(({ id }) => id)],
  );
  await client.query(`select pg_notify('outbox_' || 'outbox'::regclass::oid, '')`);
  return rowCount ?? 0;
}

/** Events in the stream that the service does not know, for example because its database was restored to an earlier state. */
async function strangers(client: pg.Client, service: ServiceName): Promise<Discrepancy[]> {
  const { rows } = await client.query<Counted>(
    `with strange as (
       select event_id from streamed s where not exists (select from outbox o where o.event_id = s.event_id)
     )
     select count(*)::int as count, (array_agg(event_id::text))[1:${examplesShown}] as examples from strange`,
  );
  const advice =
    'Its database was reset to an earlier state. Restore all services to the same moment, with an empty NATS.';
  const what = 'events in the stream that are not in the outbox';
  return unrepaired({ service, what, advice }, rows);
}
