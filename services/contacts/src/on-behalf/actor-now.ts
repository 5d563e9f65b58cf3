import type { User } from '@crm/auth';
import type { WorkerContext } from '@crm/service';
import { identity } from '../peers.ts';
import type { Origin } from './origin.ts';

interface UserWork {
  readonly user_id: number;
  readonly origin: Origin;
}

/**
 * The user with current rights; undefined for one who is disabled, or whose broker may not act now. If the user has allowed the
 * broker again since the request, the broker acts under that consent, and what is done ends with it.
 */
export async function actorNow(
  { peers }: Pick<WorkerContext, 'peers'>,
  { user_id, origin }: UserWork,
): Promise<User | undefined> {
  const { act, access, request_id: requestId } = origin;
  const asSystem = identity.asSystem({ peers, requestId }).actors;
  const [user] = await asSystem.ofUsers({ ids: [user_id] });
  if (!user) return undefined;
  const actor = { ...user, scopes: ['read', 'write'], access } as const;
  if (!act) return { ...actor, act };
  const [standing] = await asSystem.standingDelegations({ ids: [act.delegation_id] });
  return standing && { ...actor, act: { ...act, delegation_id: standing.active_id ?? standing.id } };
}
