import type { User } from '@crm/auth';
import { nameOf } from '@crm/delivery';
import { byIds, type PeerContext } from '@crm/service';
import { contacts, identity } from './peers.ts';

type Ids = Iterable<number | null | undefined>;

/** The names of users. Whoever sees a record sees the names of its users. */
export const usersById = (peers: PeerContext, ids: Ids) =>
  byIds(ids, async (portion) => {
    const users = await identity.asSystem(peers).users.byIds({ ids: portion });
    return users.map(({ id, first_name, last_name, email }) => ({ id, first_name, last_name, email }));
  });

/** The name of the user who claimed a lead, for those who tried to claim it too. */
export async function winnerName(peers: PeerContext, id: number): Promise<string> {
  return nameOf((await usersById(peers, [id])).get(id), 'someone else');
}

/** Users with their current rights. Disabled users are missing. */
export const actorsById = (peers: PeerContext, ids: Ids) =>
  byIds(ids, (portion) => identity.asSystem(peers).actors.ofUsers({ ids: portion }));

/** The contact of a lead, and the creator of the lead. */
export interface LeadContact {
  readonly id: number;
  readonly creator: number;
}

/** The contact of a lead, and whether the caller is offered the lead. */
export interface ShownLeadContact extends LeadContact {
  readonly is_offered: boolean;
}

/** The contacts that creators of leads see now, by creator. */
export async function contactsSeen(
  peers: PeerContext,
  users: ReadonlyMap<number, User>,
  leadContacts: readonly LeadContact[],
): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  const viewers = [...Map.groupBy(leadContacts, ({ creator }) => creator)].flatMap(([creator, own]) => {
    const user = users.get(creator);
    return user ? [{ user, contact_ids: [...new Set(own.map(({ id }) => id))] }] : [];
  });
  if (viewers.length === 0) return new Map();
  const seen = await contacts.asSystem(peers).contacts.seenBy({ viewers });
  return new Map(seen.map(({ user_id, contact_ids }) => [user_id, new Set(contact_ids)]));
}

/** The names of the contacts of leads. A contact that the creator of the lead no longer sees is missing. */
export async function namesOfLeadContacts(peers: PeerContext, leadContacts: readonly LeadContact[]) {
  const users = await actorsById(
    peers,
    leadContacts.map(({ creator }) => creator),
  );
  const seen = await contactsSeen(peers, users, leadContacts);
  const shown = leadContacts.filter(({ id, creator }) => seen.get(creator)?.has(id));
  return contactsById(
    peers,
    shown.map(({ id }) => id),
  );
}

/** The current names of contacts. A removed contact is missing. */
export const contactsById = (peers: PeerContext, ids: Ids) =>
  byIds(ids, (portion) => contacts.asSystem(peers).contacts.byIds({ ids: portion }));
