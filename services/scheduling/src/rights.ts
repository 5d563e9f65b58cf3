import type { User } from '@crm/auth';
import { byIds, type PeerContext } from '@crm/service';
import { contacts, identity } from './peers.ts';

/** What a message depends on: a user, what the user may see, and the delegation under which it was planned. */
interface Need {
  readonly user_id: number | null;
  readonly contact_id: number | null;
  readonly delegation_id?: number | null;
}

/** The current rights of some users. */
export interface Rights {
  /** Without disabled users. */
  readonly users: ReadonlyMap<number, User>;
  sees(userId: number, contactId: number): boolean;
  /** Whether a delegation still lets its broker act; always true without one. */
  stands(delegationId: number | null): boolean;
}

/** Asks identity and contacts about the current state of what is needed. */
export async function rightsNow(peers: PeerContext, needs: readonly Need[]): Promise<Rights> {
  const [users, standing] = await Promise.all([
    byIds(
      needs.map(({ user_id }) => user_id),
      (ids) => identity.asSystem(peers).actors.ofUsers({ ids }),
    ),
    byIds(
      needs.map(({ delegation_id }) => delegation_id),
      (ids) => identity.asSystem(peers).actors.standingDelegations({ ids }),
    ),
  ]);
  const seen = await seenContacts(peers, users, needs);
  return {
    users,
    sees: (userId, contactId) => seen.get(userId)?.has(contactId) ?? false,
    stands: (delegationId) => delegationId === null || standing.has(delegationId),
  };
}

async function seenContacts(
  peers: PeerContext,
  users: Rights['users'],
  needs: readonly Need[],
): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  const byUser = Map.groupBy(needs, ({ user_id }) => user_id);
  const viewers = [...users.values()].map((user) => {
    const ids = byUser.get(user.id)?.map(({ contact_id }) => contact_id) ?? [];
    return { user, contact_ids: [...new Set(ids.filter((id) => id !== null))] };
  });
  if (viewers.every(({ contact_ids }) => contact_ids.length === 0)) return new Map();
  const seen = await contacts.asSystem(peers).contacts.seenBy({ viewers });
  return new Map(seen.map(({ user_id, contact_ids }) => [user_id, new Set(contact_ids)]));
}
