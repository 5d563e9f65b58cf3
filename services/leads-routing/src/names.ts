import { byIds, type PeerContext } from '@crm/service';
import { contacts, identity } from './peers.ts';

type Ids = Iterable<number | null | undefined>;

/** The names of users. Whoever sees a record sees the names of its users. */
export const usersById = (peers: PeerContext, ids: Ids) =>
  byIds(ids, async (portion) => {
    const users = await identity.asSystem(peers).users.byIds({ ids: portion });
    return users.map(({ id, first_name, last_name, email }) => ({ id, first_name, last_name, email }));
  });

/** The names of contacts as they are now. A removed contact is missing. */
export const contactsById = (peers: PeerContext, ids: Ids) =>
  byIds(ids, (portion) => contacts.asSystem(peers).contacts.byIds({ ids: portion }));
