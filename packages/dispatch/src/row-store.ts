import { randomUUID } from 'node:crypto';
import { system } from '@crm/auth';
import { emFor, type Query, queryIn } from '@crm/data';
import type { WorkerContext } from '@crm/service';
import { batched } from './batched.ts';
import { type Beginning, beginSending, isAnyAbandoned, lockAbandoned, settle } from './due-rows.queries.ts';
import { fault } from './fault.ts';
import type { DueRow, Obstacle, Queue } from './queue.ts';
import { lostAnswer, type StoredOutcome } from './settlement.ts';

/** The result of the final check of a row. */
export type Verdict =
  | { readonly is: 'begun' }
  /** It was removed, or somebody else has leased it. */
  | { readonly is: 'lost' }
  | ({ readonly is: 'stopped' } & Obstacle);

/** What happens to the rows of a queue in its table, many at once. */
export function rowStore<Lane extends string, Row extends DueRow, Facts, Settled>(
  queue: Queue<Lane, Row, Facts, Settled>,
  { database: { query, orm }, clock }: Pick<WorkerContext, 'database' | 'clock'>,
) {
  const { table, check, name } = queue;

  /** Stores outcomes and publishes them, in one transaction. */
  const store = (outcomesIn: (tx: Query) => Promise<readonly StoredOutcome[]>) =>
    emFor(orm, system).transactional(async (em) => {
      const now = clock();
      const tx = queryIn(em);
      const settled = await settle(tx, table, queue.settled, await outcomesIn(tx));
      queue.publish?.({ em, actor: system, requestId: randomUUID(), now: () => now }, settled);
      await fault(`${name}.settled`);
    });

  const begin = (beginnings: readonly Beginning[]) => verdictsOn(queue, query, beginnings);

  return {
    begin: check.isAlone ? async (one: Beginning) => (await begin([one]))[0] : batched(begin),
    settle: batched(async (outcomes: readonly StoredOutcome[]) => {
      await store(async () => outcomes);
      return outcomes.map(() => undefined);
    }),
    /** Releases rows whose lease has expired. */
    async releaseAbandoned(honoursKeys: boolean): Promise<void> {
      if (!(await isAnyAbandoned(query, table))) return;
      await store(async (tx) =>
        (await lockAbandoned(tx, table)).map(({ id, attempts, reason, is_sent_to_phone }) =>
          is_sent_to_phone && !honoursKeys
            ? { id, attempts, state: 'Failed', reason: lostAnswer, seconds: 0 }
            : { id, attempts, state: table.waiting, reason, seconds: 0 },
        ),
      );
    },
  };
}

async function verdictsOn<Lane extends string, Row extends DueRow, Facts, Settled>(
  { table, check }: Queue<Lane, Row, Facts, Settled>,
  query: Query,
  beginnings: readonly Beginning[],
): Promise<Verdict[]> {
  const checked = await beginSending(query, table, check, beginnings);
  const verdicts = new Map(checked.map((verdict) => [verdict.id, verdict]));
  return beginnings.map(({ id }) => {
    const verdict = verdicts.get(id);
    const obstacle = check.obstacles[verdict?.obstacle ?? -1];
    if (obstacle) return { is: 'stopped', ...obstacle };
    return { is: verdict?.is_begun ? 'begun' : 'lost' };
  });
}

export type RowStore = ReturnType<typeof rowStore>;
