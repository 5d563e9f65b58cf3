import { toE164 } from '@crm/delivery';
import { byIds, type PeerContext } from '@crm/service';
import { actorsById, contactsById } from '../names.ts';
import { contacts, identity } from '../peers.ts';
import type { DueAlert } from './alert.queries.ts';

/** The members who are alerted, the creators of the leads, and their contacts, as other services know them now. */
export async function loadParticipants(peers: PeerContext, alerts: readonly DueAlert[]) {
  const [members, users] = await Promise.all([
    byIds(
      alerts.map(({ user_id }) => user_id),
      (ids) => identity.asSystem(peers).users.byIds({ ids }),
    ),
    actorsById(
      peers,
      alerts.flatMap(({ user_id, creator_user_id }) => [user_id, creator_user_id]),
    ),
  ]);
  const [leadContacts, seen, optedOut] = await Promise.all([
    contactsById(
      peers,
      alerts.map(({ contact_id }) => contact_id),
    ),
    seenByCreators(peers, alerts, users),
    optedOutAmong(
      peers,
      alerts.filter(({ kind }) => kind === 'Text').map(({ user_id }) => members.get(user_id)?.phone),
    ),
  ]);
  return { members, users, leadContacts, seen, optedOut };
}

export type Participants = Awaited<ReturnType<typeof loadParticipants>>;

type Users = Awaited<ReturnType<typeof actorsById>>;

/** The contacts that the creators of leads see now, by creator. */
async function seenByCreators(
  peers: PeerContext,
  alerts: readonly DueAlert[],
  users: Users,
): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  const byCreator = Map.groupBy(alerts, ({ creator_user_id }) => creator_user_id);
  const viewers = [...byCreator].flatMap(([id, own]) => {
    const user = users.get(id);
    const ids = own.map(({ contact_id }) => contact_id).filter((contact) => contact !== null);
    return user ? [{ user, contact_ids: [...new Set(ids)] }] : [];
  });
  const seen = await contacts.asSystem(peers).contacts.seenBy({ viewers });
  return new Map(seen.map(({ user_id, contact_ids }) => [user_id, new Set(contact_ids)]));
}

async function optedOutAmong(
  peers: PeerContext,
  phones: readonly (string | null | undefined)[],
): Promise<ReadonlySet<string>> {
  const numbers = [...new Set(phones.map((phone) => toE164(phone ?? '')))].filter(
    (number) => number !== undefined,
  );
  if (numbers.length === 0) return new Set();
  return new Set(await contacts.asSystem(peers).optOuts.among({ numbers }));
}
