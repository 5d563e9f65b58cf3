import type { User } from '@crm/auth';
import type { WorkerContext } from '@crm/service';
import { identity } from '../peers.ts';
import type { Origin } from './origin.ts';

interface UserWork {
  readonly user_id: number;
  readonly origin: Origin;
}

/** The user with current rights; undefined for one who is disabled, or whose broker may no longer act. */
export async function actorNow(
  { peers }: Pick<WorkerContext, 'peers'>,
  { user_id, origin }: UserWork,
): Promise<User | undefined> {
  const { act, access, request_id: requestId } = origin;
  const asSystem = identity.asSystem({ peers, requestId }).actors;
  const [user] = await asSystem.ofUsers({ ids: [user_id] });
  if (!user) return undefined;
  if (act && (await asSystem.standingDelegations({ ids: [act.delegation_id] })).length === 0)
    return undefined;
  return { ...user, scopes: ['read', 'write'], act, access };
}
