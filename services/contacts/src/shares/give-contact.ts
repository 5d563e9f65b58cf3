import { conditionOf, type User } from '@crm/auth';
import { noRecord } from '@crm/contract';
import { contactChanged } from '@crm/events';
import { type Context, loadForChange, publish } from '@crm/service';
import type { z } from 'zod';
import { Contact } from '../contacts/contact.entity.ts';
import { visibleContacts } from '../contacts/contact.policy.ts';
import { contactRows } from '../contacts/contact.queries.ts';
import { eventData } from '../contacts/contact-event-data.ts';
import { noteAssignment } from '../delegations/delegated-assignment.queries.ts';
import { noteRepeatedShare, type Sharing } from './repeated-share.queries.ts';
import type { shareApi } from './share.api.ts';
import { shareWith } from './share-with.ts';

type Gift = z.output<typeof shareApi.give.input>;

/**
 * Gives a user access to a contact: as its assignee if it has none, or by a share on behalf of its owner. Repeating it changes
 * nothing. Access that a broker has given the user before outlives the delegation. Throws NotFound, also for a contact that the
 * giver does not see: whether it is shared with the giver cannot change while it is locked.
 */
export async function giveContact(
  ctx: Context,
  { contact_id, user_id, giver, is_given: isGiven }: Gift,
): Promise<void> {
  const contact = await loadForChange(ctx, Contact, contactRows, { id: contact_id });
  if (giver && !sees(giver, contact)) throw noRecord(contact_id);
  const sharing = { contact_id, user_id, shared_by_user_id: contact.owner_user_id, delegation_id: null };
  await keepAccess(ctx, contact, sharing);
  if (isGiven || contact.assigned_user_id === user_id) return;
  if (contact.assigned_user_id == null) {
    contact.assigned_user_id = user_id;
    contact.change(ctx.now());
    await noteAssignment(ctx.query, { contact_id, previous_user_id: null }, null);
    publish(ctx, contactChanged, contact, eventData(contact, { fields: ['assigned_user_id'] }));
    return;
  }
  const hasAccess = contact.owner_user_id === user_id || contact.shared_user_ids.includes(user_id);
  if (!hasAccess) await shareWith(ctx, contact, sharing);
}

function sees(user: User, { owner_user_id, assigned_user_id = null, shared_user_ids }: Contact): boolean {
  return conditionOf(visibleContacts(user))({ owner_user_id, assigned_user_id, shared_user_ids });
}

/** Makes the access that delegations have given a user outlive them. */
async function keepAccess({ query }: Context, contact: Contact, sharing: Sharing): Promise<void> {
  const { contact_id, user_id } = sharing;
  if (contact.assigned_user_id === user_id)
    await noteAssignment(query, { contact_id, previous_user_id: user_id }, null);
  if (contact.shared_user_ids.includes(user_id)) await noteRepeatedShare(query, sharing);
}
