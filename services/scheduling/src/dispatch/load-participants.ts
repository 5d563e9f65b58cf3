import { numberToCall } from '@crm/delivery';
import { byIds, type PeerContext } from '@crm/service';
import { contacts, identity } from '../peers.ts';
import { rightsNow } from '../rights.ts';
import type { DueCommunication } from './communication-dispatch.queries.ts';

type Concerned = Pick<DueCommunication, 'type' | 'contact_id' | 'send_from_user_id'> &
  Partial<Pick<DueCommunication, 'enrolled_by_user_id' | 'delegation_id'>>;

/**
 * The recipients and senders of messages, as other services know them, and the current rights of the users on whose behalf they
 * are sent.
 */
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
  const leftAlone = await askedToBeLeftAlone(peers, due, recipients);
  return { recipients, senders, rights, leftAlone };
}

/** The numbers that senders would be asked to call and whose owners asked to be left alone, with how they asked. */
async function askedToBeLeftAlone(
  peers: PeerContext,
  due: readonly Concerned[],
  recipients: ReadonlyMap<number, Parameters<typeof numberToCall>[0]>,
) {
  const numbers = due.flatMap(({ type, contact_id }) => {
    const recipient = type === 'Call Contact' ? recipients.get(contact_id) : undefined;
    return (recipient && numberToCall(recipient)?.number) ?? [];
  });
  if (numbers.length === 0) return new Map<string, never>();
  const { optOuts } = contacts.asSystem(peers);
  const asked = await optOuts.askedToBeLeftAlone({ numbers: [...new Set(numbers)] });
  return new Map(asked.map(({ number, by }) => [number, by]));
}

export type Participants = Awaited<ReturnType<typeof loadParticipants>>;
