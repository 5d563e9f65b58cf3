import { toE164 } from '@crm/delivery';
import { byIds, type PeerContext } from '@crm/service';
import { contactsById } from '../names.ts';
import { contacts, identity } from '../peers.ts';
import type { DueAlert } from './alert.queries.ts';

/** The members who are alerted and the contacts of the leads, as other services know them now. */
export async function loadParticipants(peers: PeerContext, alerts: readonly DueAlert[]) {
  const members = await byIds(
    alerts.map(({ user_id }) => user_id),
    (ids) => identity.asSystem(peers).users.byIds({ ids }),
  );
  const [leadContacts, optedOut] = await Promise.all([
    contactsById(
      peers,
      alerts.map(({ contact_id }) => contact_id),
    ),
    optedOutAmong(
      peers,
      alerts.filter(({ kind }) => kind === 'Text').map(({ user_id }) => members.get(user_id)?.phone),
    ),
  ]);
  return { members, leadContacts, optedOut };
}

export type Participants = Awaited<ReturnType<typeof loadParticipants>>;

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
