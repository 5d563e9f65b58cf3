import type { PeerContext } from '@crm/service';
import { contacts, identity } from '../peers.ts';
import type { DueCommunication } from './communication-dispatch.queries.ts';

/** What other services know of those whom messages go to, and of those in whose name they do. */
export async function loadParticipants(asker: PeerContext, due: readonly DueCommunication[]) {
  const [recipients, senders] = await Promise.all([
    contacts.asSystem(asker).contacts.exportForDispatch({ ids: unique(due, 'contact_id') }),
    identity.asSystem(asker).users.byIds({ ids: unique(due, 'send_from_user_id') }),
  ]);
  const texted = new Set(due.filter(({ type }) => type === 'Text Contact').map((one) => one.contact_id));
  const numbers = recipients.filter(({ id }) => texted.has(id)).map((one) => one.mobile_phone_e164);
  return {
    recipients: new Map(recipients.map((one) => [one.id, one])),
    senders: new Map(senders.map((one) => [one.id, one])),
    optedOut: await optedOutAmong(asker, numbers),
  };
}

export type Participants = Awaited<ReturnType<typeof loadParticipants>>;

async function optedOutAmong(
  asker: PeerContext,
  phones: readonly (string | null)[],
): Promise<ReadonlySet<string>> {
  const numbers = [...new Set(phones)].filter((one) => one !== null);
  if (numbers.length === 0) return new Set();
  return new Set(await contacts.asSystem(asker).optOuts.among({ numbers }));
}

const unique = (due: readonly DueCommunication[], field: 'contact_id' | 'send_from_user_id') => [
  ...new Set(due.map((one) => one[field])),
];
