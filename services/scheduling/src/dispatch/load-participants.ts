import { byIds, type PeerContext } from '@crm/service';
import { contacts, identity } from '../peers.ts';
import { rightsNow } from '../rights.ts';
import type { DueCommunication } from './communication-dispatch.queries.ts';

type Concerned = Pick<DueCommunication, 'contact_id' | 'send_from_user_id'> &
  Partial<Pick<DueCommunication, 'enrolled_by_user_id' | 'delegation_id'>>;

/** The recipients and senders of messages, as other services know them, and what those may do on whose behalf they are sent. */
export async function loadParticipants(peers: PeerContext, due: readonly Concerned[]) {
  const needs = due.flatMap(
    ({ contact_id, send_from_user_id, enrolled_by_user_id = null, delegation_id = null }) => [
      { user_id: send_from_user_id, contact_id, delegation_id },
      { user_id: enrolled_by_user_id, contact_id },
    ],
  );
  const [recipients, senders, rights] = await Promise.all([
    byIds(
      due.map(({ contact_id }) => contact_id),
      (ids) => contacts.asSystem(peers).contacts.exportForDispatch({ ids }),
    ),
    byIds(
      due.map(({ send_from_user_id }) => send_from_user_id),
      (ids) => identity.asSystem(peers).users.byIds({ ids }),
    ),
    rightsNow(peers, needs),
  ]);
  return { recipients, senders, rights };
}

export type Participants = Awaited<ReturnType<typeof loadParticipants>>;
