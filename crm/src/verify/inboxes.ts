import type { CloudEvent } from '@crm/events';
import { type Broker, handledBy, redeliver } from '@crm/messaging';
import type { Clients } from '../start/with-clients.ts';
import type { ServiceName } from '../system/services.ts';
import { type Discrepancy, gather, portion } from './discrepancy.ts';
import { pages } from './pages.ts';

export interface Consumption {
  readonly publisher: ServiceName;
  readonly consumer: ServiceName;
  /** The names of the events, such as `contacts.contact.removed`. */
  readonly events: readonly string[];
}

/** Compares what a consumer has acknowledged with its inbox. Requires the copy of the stream made before. */
export async function verifyInbox(
  clients: Clients,
  broker: Broker,
  consumption: Consumption,
  repair: boolean,
): Promise<Discrepancy[]> {
  const { publisher, consumer } = consumption;
  // Before the inbox is read, so that the inbox contains everything acknowledged until now.
  const handled = await handledBy(broker, publisher, consumer);
  const about = { service: consumer, what: `events of ${publisher} that it has not handled` };
  if (!handled) {
    const advice = `Start ${consumer}, which subscribes to them.`;
    return [
      {
        ...about,
        what: `subscription to ${publisher} that does not exist`,
        advice,
        count: 1,
        examples: [],
        repaired: 0,
      },
    ];
  }
  return gather<CloudEvent>(
    { ...about, advice: 'Run `crm verify --repair`, which delivers them again.' },
    unhandled(clients, consumption, handled.upTo, handled.redriven),
    ({ id }) => id,
    repair ? (found) => deliverAgain(broker, consumption, found) : undefined,
  );
}

async function* unhandled(
  clients: Clients,
  { publisher, consumer, events }: Consumption,
  upTo: number,
  redriven: ReadonlySet<string>,
) {
  const subjects = events.map((name) => `crm.${name}`);
  const read = async (last: string) => {
    const { rows } = await clients[publisher].query<{ id: string; event_id: string }>(
      `select id, event_id from outbox o where id > $1 and subject = any($2)
         and exists (select from streamed s where s.event_id = o.event_id and s.seq <= $3)
       order by id limit ${portion}`,
      [last, subjects, upTo],
    );
    return rows;
  };
  for await (const rows of pages('0', read)) {
    const ids = rows.map(({ event_id }) => event_id).filter((id) => !redriven.has(id));
    const { rows: absent } = await clients[consumer].query<{ id: string }>(
      `select given.id from unnest($1::uuid[]) as given (id)
       where not exists (select from inbox where consumer = $2 and event_id = given.id)
         and not exists (select from dead_letters where event_id = given.id)`,
      [ids, consumer],
    );
    yield payloadsOf(
      clients,
      publisher,
      absent.map(({ id }) => id),
    );
  }
}

async function payloadsOf(
  clients: Clients,
  publisher: ServiceName,
  ids: readonly string[],
): Promise<CloudEvent[]> {
  const { rows } = await clients[publisher].query<{ payload: CloudEvent }>(
    'select payload from outbox where event_id = any($1::uuid[]) order by id',
    [ids],
  );
  return rows.map(({ payload }) => payload);
}

async function deliverAgain(
  broker: Broker,
  { consumer }: Consumption,
  found: readonly CloudEvent[],
): Promise<number> {
  for (const event of found) await redeliver(broker, consumer, event);
  return found.length;
}
