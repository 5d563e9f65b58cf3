import { byIds, type PeerContext } from '@crm/service';
import { contacts, identity } from '../peers.ts';
import type { DueCommunication } from './communication-dispatch.queries.ts';

type Concerned = Pick<DueCommunication, 'contact_id' | 'send_from_user_id'>;

/** The recipients and senders of messages, as other services know them. */
export async function loadParticipants(peers: PeerContext, due: readonly Concerned[]) {
  const [recipients, senders, seen] = await Promise.all([
    byIds(
      due.map(({ contact_id }) => contact_id),
      (ids) => contacts.asSystem(peers).contacts.exportForDispatch({ ids }),
    ),
    byIds(
      due.map(({ send_from_user_id }) => send_from_user_id),
      (ids) => identity.asSystem(peers).users.byIds({ ids }),
    ),
    seenContacts(peers, due),
  ]);
  return { recipients, senders, seen };
}

export type Participants = Awaited<ReturnType<typeof loadParticipants>>;

/** The contacts that senders may see now, by sender. */
async function seenContacts(
  peers: PeerContext,
  due: readonly Concerned[],
): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  const bySender = Map.groupBy(due, ({ send_from_user_id }) => send_from_user_id);
  const users = await identity.asSystem(peers).actors.ofUsers({ ids: [...bySender.keys()] });
  const viewers = users.map((user) => ({
    user,
    contact_ids: [...new Set(bySender.get(user.id)?.map(({ contact_id }) => contact_id))],
  }));
  const seen = await contacts.asSystem(peers).contacts.seenBy({ viewers });
  return new Map(seen.map(({ user_id, contact_ids }) => [user_id, new Set(contact_ids)]));
}
