import { randomUUID } from 'node:crypto';
import { system } from '@crm/auth';
import { type Database, emFor, type Query } from '@crm/data';
import { communicationMoved } from '@crm/events';
import { type Logger, publish, repeat, systemContext, type Worker, type WorkerContext } from '@crm/service';
import { communicationEventData } from '../communications/communication-event-data.ts';
import { postponeRows } from '../postponed/postponed.queries.ts';
import { catchUp, dayOf, type Missed } from './catch-up.ts';
import {
  giveUp,
  type LateCommunication,
  lockLate,
  moveCommunications,
} from './late-communication.queries.ts';
import { publishOutcomes } from './publish-outcomes.ts';

const everyMs = 10_000;
const missedReason = 'It was missed while the system was unavailable.';

type Work = Pick<WorkerContext, 'database' | 'clock' | 'log'>;

/** Moves messages that are too late to another day, some in each transaction, until none is left. */
export async function moveLate({ database: { orm }, clock, log }: Work): Promise<void> {
  while (await moveSome(orm, clock(), log));
}

export const moveLateWorker: Worker = async (context) =>
  repeat('move late communications', everyMs, () => moveLate(context), context.log);

async function moveSome(orm: Database['orm'], now: Date, log: Logger): Promise<boolean> {
  return emFor(orm, system).transactional(async (em) => {
    const ctx = systemContext(em, randomUUID(), now);
    const { query } = ctx;
    const late = await lockLate(query);
    if (late.length === 0) return false;
    const groups = Map.groupBy(late, ({ contact_id, type }) => `${contact_id} ${type}`);
    const found = [];
    for (const group of groups.values()) found.push(await movesOrPostponed(query, group, log));
    const moves = found.flatMap((of) => of ?? []);
    const moved = await moveCommunications(
      query,
      moves.flatMap((move) => ('send_at' in move ? [{ id: move.id, send_at: move.send_at.toString() }] : [])),
    );
    const ids = moves.flatMap((move) => ('isGivenUp' in move ? [move.id] : []));
    for (const one of moved) publish(ctx, communicationMoved, one, communicationEventData(one));
    publishOutcomes(ctx, await giveUp(query, ids, missedReason));
    return moves.length > 0 || found.includes(undefined);
  });
}

type Moves = ReturnType<typeof movesOf>;

/** The moves of a group. If they cannot be computed, its messages are postponed, and do not block others. */
async function movesOrPostponed(
  query: Query,
  group: readonly LateCommunication[],
  log: Logger,
): Promise<Moves | undefined> {
  try {
    return movesOf(group);
  } catch (error) {
    const ids = group.filter(({ isPending }) => isPending).map(({ id }) => id);
    log.error({ err: error, communications: ids }, 'late communications cannot be moved, and are postponed');
    await postponeRows(query, 'communications', ids, `It cannot be moved to another day: ${error}`);
    return undefined;
  }
}

/** The moves of the messages of one type to one contact. */
function movesOf(group: readonly LateCommunication[]) {
  const instant = (ms: number) => Temporal.Instant.fromEpochMilliseconds(Math.floor(ms));
  const pending = group.filter(({ isPending }) => isPending);
  const lastDay = group
    .filter(({ isPending }) => !isPending)
    .map(({ send_at, timezone }) => dayOf(instant(send_at), timezone))
    .toSorted(Temporal.PlainDate.compare)
    .at(-1);
  const messages = pending.map(
    ({ id, timezone, isLate, send_at, first_send_at }): Missed => ({
      id,
      timezone,
      isLate,
      send_at: instant(send_at),
      first_send_at: instant(first_send_at),
    }),
  );
  return catchUp(messages, lastDay, instant(group[0]?.now ?? 0));
}
