import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import type { Broker } from './broker.ts';
import { withOutboxLock } from './outbox-lock.ts';
import { streamOf } from './stream-name.ts';

interface Stream {
  readonly name: string;
  readonly created: string;
  readonly last_seq: string;
}

interface Checked {
  readonly pool: Pool;
  readonly broker: Broker;
  readonly service: string;
  readonly log: Logger;
}

/**
 * Marks all events of the outbox as pending if the broker has lost events of the stream: if another stream has its name, or
 * its last number is lower than one that was acknowledged. They are then published in their order and before any new one,
 * with their ids, so that consumers ignore those they have handled. Returns whether it could check, which it cannot while
 * another relay is sending.
 */
export async function republishIfLost({ pool, broker, service, log }: Checked): Promise<boolean> {
  const checked = await withOutboxLock(pool, async (client) => {
    const name = streamOf(service);
    const { created, state } = await broker.session().jsm.streams.info(name);
    const found: Stream = { name, created, last_seq: String(state.last_seq) };
    const known = await knownStream(client, name);
    if (known && isLost(known, found)) {
      // As many as a fortnight has brought.
      await client.query('set local statement_timeout = 0');
      const { rowCount } = await client.query(
        'update outbox set published_at = null where published_at is not null',
      );
      log.error(
        { service, known, found, events: rowCount },
        'the broker has lost events, which are published again',
      );
      await storeStream(client, found, true);
    } else if (!known) await storeStream(client, found, false);
    return true;
  });
  return checked ?? false;
}

const isLost = (known: Stream, found: Stream) =>
  known.created !== found.created || BigInt(found.last_seq) < BigInt(known.last_seq);

async function knownStream(client: PoolClient, name: string): Promise<Stream | undefined> {
  const { rows } = await client.query<Stream>(
    'select name, created, last_seq from published_streams where name = $1',
    [name],
  );
  return rows[0];
}

async function storeStream(client: PoolClient, { name, created, last_seq }: Stream, isLoss: boolean) {
  await client.query(
    `insert into published_streams (name, created, last_seq, lost_at) values ($1, $2, $3, case when $4 then now() end)
     on conflict (name) do update set
       created = excluded.created, last_seq = excluded.last_seq,
       lost_at = coalesce(excluded.lost_at, published_streams.lost_at)`,
    [name, created, last_seq, isLoss],
  );
}
