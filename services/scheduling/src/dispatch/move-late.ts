import { randomUUID } from 'node:crypto';
import { system } from '@crm/auth';
import { type Database, emFor, queryIn } from '@crm/data';
import { communicationMoved } from '@crm/events';
import { type Clock, publish, repeat, type Worker } from '@crm/service';
import { communicationEventData } from '../communications/communication-event-data.ts';
import { catchUp, dayOf, type Missed } from './catch-up.ts';
import {
  giveUp,
  type LateCommunication,
  lockLate,
  moveCommunications,
} from './late-communication.queries.ts';
import { publishOutcomes } from './publish-outcomes.ts';

const everyMs = 2_000;
const missedReason = 'It was missed while the system was unavailable.';

/** Moves messages that are too late to another day, some in each transaction, until none is left. */
export async function moveLate({ orm }: Pick<Database, 'orm'>, clock: Clock): Promise<void> {
  while (await moveSome(orm, clock()));
}

export const moveLateWorker: Worker = async ({ database, clock, log }) =>
  repeat('move late communications', everyMs, () => moveLate(database, clock), log);

async function moveSome(orm: Database['orm'], now: Date): Promise<boolean> {
  return emFor(orm, system).transactional(async (em) => {
    const query = queryIn(em);
    const late = await lockLate(query);
    if (late.length === 0) return false;
    const groups = Map.groupBy(late, ({ contact_id, type }) => `${contact_id} ${type}`);
    const moves = [...groups.values()].flatMap(movesOf);
    const moved = await moveCommunications(
      query,
      moves.flatMap((move) => ('send_at' in move ? [{ id: move.id, send_at: move.send_at.toString() }] : [])),
    );
    const ids = moves.flatMap((move) => ('isGivenUp' in move ? [move.id] : []));
    const origin = { em, actor: system, requestId: randomUUID(), now: () => now };
    for (const one of moved) publish(origin, communicationMoved, one, communicationEventData(one));
    publishOutcomes(origin, await giveUp(query, ids, missedReason));
    return moves.length > 0;
  });
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
