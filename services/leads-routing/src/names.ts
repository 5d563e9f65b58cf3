import type { User } from '@crm/auth';
import { byIds, type PeerContext } from '@crm/service';
import { contacts, identity } from './peers.ts';

type Ids = Iterable<number | null | undefined>;

/** The names of users. Whoever sees a record sees the names of its users. */
export const usersById = (peers: PeerContext, ids: Ids) =>
  byIds(ids, async (portion) => {
    const users = await identity.asSystem(peers).users.byIds({ ids: portion });
    return users.map(({ id, first_name, last_name, email }) => ({ id, first_name, last_name, email }));
  });

/** Users with the rights they have now. Those who are disabled are missing. */
export const actorsById = (peers: PeerContext, ids: Ids) =>
  byIds(ids, (portion) => identity.asSystem(peers).actors.ofUsers({ ids: portion }));

/** Those of the contacts that a user sees now. */
export async function seenBy(peers: PeerContext, user: User, ids: readonly number[]): Promise<Set<number>> {
  const viewers = [{ user, contact_ids: [...new Set(ids)] }];
  const [seen] = await contacts.asSystem(peers).contacts.seenBy({ viewers });
  return new Set(seen?.contact_ids);
}

/** The names of contacts as they are now. A removed contact is missing. */
export const contactsById = (peers: PeerContext, ids: Ids) =>
  byIds(ids, (portion) => contacts.asSystem(peers).contacts.byIds({ ids: portion }));
