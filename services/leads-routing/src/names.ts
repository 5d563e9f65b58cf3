import { byIds, type PeerContext } from '@crm/service';
import { contacts, identity } from './peers.ts';

type Ids = Iterable<number | null | undefined>;

/** The names of users. Whoever sees a record sees the names of those who have to do with it. */
export const usersById = (peers: PeerContext, ids: Ids) =>
  byIds(ids, async (some) => {
    const users = await identity.asSystem(peers).users.byIds({ ids: some });
    return users.map(({ id, first_name, last_name, email }) => ({ id, first_name, last_name, email }));
  });

/** The names of contacts as they are now; a contact that was removed has none. */
export const contactsById = (peers: PeerContext, ids: Ids) =>
  byIds(ids, (some) => contacts.asSystem(peers).contacts.byIds({ ids: some }));
