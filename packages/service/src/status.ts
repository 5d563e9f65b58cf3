import { isUser } from '@crm/auth';
import { bearerTokenIn } from '@crm/client';
import { forbidden, problemOf, statuses } from '@crm/contract';
import { type Broker, countDeadLetters, type Lag, type Relay } from '@crm/messaging';
import type { FastifyInstance } from 'fastify';
import manifest from '../package.json' with { type: 'json' };
import { type Blocker, blockersDuring } from './blockers.ts';
import type { Authenticate } from './call-context.ts';
import { refusalIn } from './classify-error.ts';
import type { DatabaseClock } from './database-clock.ts';
import type { RowProblem, ServiceDefinition } from './definition.ts';
import { type Logger, logCause } from './log.ts';
import type { Pools } from './open-pools.ts';

/** The status of a service, for the operator. */
export interface ServiceStatus {
  readonly service: string;
  readonly version: string;
  /**
   * It does not accept writes if it is a standby, or if its server has made it read-only, as many do when a disk is nearly
   * full.
   */
  readonly database: { readonly version: string; readonly acceptsWrites: boolean; readonly locale: string };
  readonly migrations: { readonly applied: number; readonly missing: readonly string[] };
  readonly broker: { readonly connected: boolean };
  /** How far the clock of its machine is ahead of that of the database. */
  readonly clock: { readonly aheadMs: number; readonly problem: string | null };
  readonly outbox: Lag;
  /** How many events it could not handle. */
  readonly deadLetters: number;
  /** Rows that are postponed because they cannot be worked on. */
  readonly problems: readonly RowProblem[];
  readonly endingIds: readonly EndingIds[];
  /** The database sessions that its own are waiting for. */
  readonly blockers: readonly Blocker[];
}

/** A table most of whose ids are used. */
interface EndingIds {
  readonly sequence: string;
  readonly usedPercent: number;
}

interface Inspected {
  readonly definition: Pick<ServiceDefinition, 'name' | 'store' | 'problems'>;
  readonly pools: Pick<Pools, 'background'>;
  readonly broker: Broker;
  readonly relay: Pick<Relay, 'lag'>;
  readonly time: Pick<DatabaseClock, 'skew' | 'problem'>;
  readonly authenticate: Authenticate;
  readonly log: Logger;
}

/** `GET /status`, for the operator's token only, and not for other services. */
export function mountStatus(app: FastifyInstance, inspected: Inspected): void {
  app.get('/status', async ({ headers, id }, reply) => {
    let blockers: readonly Blocker[] | undefined;
    try {
      const token = bearerTokenIn(headers);
      const actor = await inspected.authenticate(token === undefined ? undefined : { token }, id);
      if (isUser(actor) || actor.caller !== 'operator') throw forbidden();
      const facts = factsOf(inspected);
      blockers = await blockersDuring(facts, inspected.pools.background);
      return { ...(await facts), blockers } satisfies ServiceStatus;
    } catch (error) {
      const refused = refusalIn(error);
      if (!refused) throw error;
      logCause(inspected.log, refused, { requestId: id });
      return reply.code(statuses[refused.name]).send({ ...problemOf(refused), blockers });
    }
  });
}

const serverQuery = `select current_setting('server_version') as version,
  current_setting('transaction_read_only') = 'off' as accepts_writes, coalesce(datlocale, datcollate) as locale
  from pg_database where datname = current_database()`;

/** Ids are never used again, and writes fail without them. */
const endingIdsQuery = `select sequencename as sequence, floor(100.0 * last_value / max_value)::int as percent
  from pg_sequences
  where schemaname = current_schema() and data_type = 'integer'::regtype and last_value > 0.8 * max_value
  order by sequencename`;

async function factsOf({
  definition: { name, store, problems },
  pools: { background: database },
  broker,
  relay,
  time,
}: Inspected): Promise<Omit<ServiceStatus, 'blockers'>> {
  const [[server], migrations, ending, outbox, deadLetters, postponed] = await Promise.all([
    database.query(serverQuery, []),
    database.query('select name from migrations', []),
    database.query(endingIdsQuery, []),
    relay.lag(),
    countDeadLetters(database.pool),
    problems?.(database.query) ?? [],
  ]);
  const applied = new Set(migrations.map(({ name }) => name));
  return {
    service: name,
    version: manifest.version,
    database: {
      version: String(server?.version),
      acceptsWrites: server?.accepts_writes === true,
      locale: String(server?.locale),
    },
    migrations: {
      applied: applied.size,
      missing: store.migrations.map(({ name }) => name).filter((name) => !applied.has(name)),
    },
    broker: { connected: broker.connected() },
    clock: { aheadMs: time.skew().ms, problem: time.problem() ?? null },
    outbox,
    deadLetters,
    problems: postponed,
    endingIds: ending.map(({ sequence, percent }) => ({
      sequence: String(sequence),
      usedPercent: Number(percent),
    })),
  };
}
