import { system } from '@crm/auth';
import { queryIn } from '@crm/data';
import { contactChanged, type delegationEnded } from '@crm/events';
import type { Delivery } from '@crm/messaging';
import { publish } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import type { z } from 'zod';
import { Contact } from '../contacts/contact.entity.ts';
import { eventData } from '../contacts/contact-event-data.ts';
import { takeAssignments } from '../delegations/delegation.queries.ts';
import { Share } from './share.entity.ts';

/** Undoes what a broker has shared and assigned in the name of a user who no longer allows the broker to act. */
export async function undoWhenDelegationEnded({
  em,
  event,
}: Delivery<z.output<(typeof delegationEnded)['data']>>): Promise<void> {
  const { delegation_id } = event.data;
  const at = new Date(event.time);
  const assignments = await takeAssignments(queryIn(em), delegation_id, at);
  const before = new Map(assignments.map(({ contact_id, ...assignment }) => [contact_id, assignment]));
  const shares = await em.find(Share, { delegation_id });
  const shared = Map.groupBy(shares, ({ contact_id }) => contact_id);
  const contacts = await em.find(
    Contact,
    { id: [...new Set([...before.keys(), ...shared.keys()])] },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 1 } },
  );
  const origin = { em, actor: system, requestId: event.requestid, now: () => at };
  for (const contact of contacts) {
    const assignment = before.get(contact.id);
    const own = shared.get(contact.id) ?? [];
    if (assignment) contact.assigned_user_id = assignment.previous_user_id;
    const ended = new Set(own.map(({ user_id }) => user_id));
    contact.shared_user_ids = contact.shared_user_ids.filter((id) => !ended.has(id));
    for (const share of own) em.remove(share);
    contact.change(at);
    const fields = [...(assignment ? ['assigned_user_id'] : []), ...(own.length > 0 ? ['shares'] : [])];
    publish(origin, contactChanged, contact, eventData(contact, { fields }));
  }
}
