import { toE164 } from '@crm/delivery';
import { byIds, type PeerContext } from '@crm/service';
import { contacts, identity } from '../peers.ts';
import { rightsNow } from '../rights.ts';
import { assigneeOf } from './addressee.ts';
import type { DueAlert } from './task-alert.queries.ts';

/**
 * The assignees, owners and contacts of tasks, as other services know them, their rights, and the numbers that have opted out.
 */
export async function loadParticipants(peers: PeerContext, alerts: readonly DueAlert[]) {
  const [people, about, rights] = await Promise.all([
    byIds(
      alerts.flatMap((alert) => [assigneeOf(alert), alert.owner_user_id]),
      (ids) => identity.asSystem(peers).users.byIds({ ids }),
    ),
    byIds(
      alerts.map(({ contact_id }) => contact_id),
      (ids) => contacts.asSystem(peers).contacts.byIds({ ids }),
    ),
    rightsNow(peers, alerts.flatMap(needsOf)),
  ]);
  const numbers = alerts
    .map((alert) => toE164(people.get(assigneeOf(alert) ?? 0)?.phone ?? ''))
    .filter((number) => number !== undefined);
  return {
    people,
    about,
    rights,
    optedOut: new Set(await contacts.asSystem(peers).optOuts.among({ numbers: [...new Set(numbers)] })),
  };
}

const needsOf = (alert: DueAlert) => [
  { user_id: assigneeOf(alert), contact_id: alert.contact_id, delegation_id: alert.delegation_id },
  { user_id: alert.owner_user_id, contact_id: alert.contact_id },
];

export type Participants = Awaited<ReturnType<typeof loadParticipants>>;
