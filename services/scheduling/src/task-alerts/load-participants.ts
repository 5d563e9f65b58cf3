import { toE164 } from '@crm/delivery';
import type { PeerContext } from '@crm/service';
import { contacts, identity } from '../peers.ts';
import { assigneeOf, channelOf } from './recipient.ts';
import type { DueAlert } from './task-alert.queries.ts';

/** What other services know of those who are told of tasks, and of whom the tasks are about. */
export async function loadParticipants(asker: PeerContext, alerts: readonly DueAlert[]) {
  const userIds = alerts.flatMap((alert) => [assigneeOf(alert), alert.owner_user_id]);
  const contactIds = alerts.map(({ contact_id }) => contact_id);
  const [users, about] = await Promise.all([
    identity.asSystem(asker).users.byIds({ ids: unique(userIds) }),
    contacts.asSystem(asker).contacts.byIds({ ids: unique(contactIds) }),
  ]);
  const people = new Map(users.map((user) => [user.id, user]));
  const numbers = alerts
    .filter((alert) => channelOf(alert) === 'Text')
    .map((alert) => toE164(people.get(assigneeOf(alert) ?? 0)?.phone ?? ''))
    .filter((number) => number !== undefined);
  return {
    people,
    about: new Map(about.map((contact) => [contact.id, contact])),
    optedOut: new Set(await contacts.asSystem(asker).optOuts.among({ numbers: [...new Set(numbers)] })),
  };
}

export type Participants = Awaited<ReturnType<typeof loadParticipants>>;

const unique = (ids: readonly (number | null)[]) => [...new Set(ids)].filter((id) => id !== null);
