import { randomUUID } from 'node:crypto';
import { system } from '@crm/auth';
import { emFor, queryIn } from '@crm/data';
import {
  dueIn,
  repeatAfterCommits,
  resume,
  systemContext,
  type Worker,
  type WorkerContext,
} from '@crm/service';
import { actorsById } from '../names.ts';
import {
  type EndedMembership,
  endedMemberships,
  forgetEnded,
  membershipsToCome,
} from './ended-membership.queries.ts';
import { removeOptionsOf } from './remove-options.ts';

const everyMs = 1_000;

/** Removes the options that requests have given to members while these left, once these requests have ended. */
export const lateOptionsWorker: Worker = async (context) =>
  repeatAfterCommits('remove late options', everyMs, () => removeLateOptions(context), context);

/** Keeps the options of members who have come back. Returns the milliseconds until the next run. */
export async function removeLateOptions(context: WorkerContext): Promise<number | undefined> {
  const { database, peers } = context;
  const { query } = database;
  const ended = await endedMemberships(query);
  const users = await actorsById(
    { peers, requestId: randomUUID() },
    ended.map(({ user_id }) => user_id),
  );
  for (const one of ended) {
    const hasReturned = users.get(one.user_id ?? 0)?.team_ids.includes(one.team_id) ?? false;
    await resume('remove late options', one, (requestId) => settle(context, one, hasReturned, requestId));
  }
  return dueIn(query, membershipsToCome);
}

function settle(
  { database, clock }: WorkerContext,
  { id, team_id, user_id }: EndedMembership,
  hasReturned: boolean,
  requestId: string,
): Promise<void> {
  return emFor(database.orm, system).transactional(async (em) => {
    const ctx = systemContext(em, requestId, clock());
    if (!hasReturned) await removeOptionsOf(ctx, { team_id, ...(user_id !== null && { user_id }) });
    await forgetEnded(queryIn(em), id);
  });
}
