import { toE164 } from '@crm/delivery';
import { byIds, type PeerContext } from '@crm/service';
import { actorsById, contactsById, contactsSeen, type LeadContact } from '../names.ts';
import { contacts, identity } from '../peers.ts';
import type { DueAlert } from './alert.queries.ts';

/** The alerted members, the creators of the leads, and the contacts, in their current state in other services. */
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
    contactsSeen(peers, users, alerts.flatMap(leadContactOf)),
    optedOutAmong(
      peers,
      alerts.map(({ user_id }) => members.get(user_id)?.phone),
    ),
  ]);
  return { members, users, leadContacts, seen, optedOut };
}

export type Participants = Awaited<ReturnType<typeof loadParticipants>>;

const leadContactOf = ({ contact_id, creator_user_id: creator }: DueAlert): LeadContact[] =>
  contact_id === null ? [] : [{ id: contact_id, creator }];

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
