import { contactChanged } from '@crm/events';
import { type Context, loadForChange, publish } from '@crm/service';
import { Contact } from '../contacts/contact.entity.ts';
import { contactRows } from '../contacts/contact.queries.ts';
import { eventData } from '../contacts/contact-event-data.ts';
import { holdsDelegation, noteAssignment } from '../delegations/delegation.queries.ts';
import { shareWith } from './share-with.ts';

/**
 * Lets a user work with a contact: as its assignee if it has none, or by a share on behalf of its owner. Repeating it
 * changes nothing. What a delegation has led to is undone with it, and not done after its end. Throws NotFound.
 */
export async function giveContact(
  ctx: Context,
  id: number,
  userId: number,
  delegationId: number | null,
): Promise<void> {
  if (delegationId !== null && !(await holdsDelegation(ctx.query, delegationId))) return;
  const contact = await loadForChange(ctx, Contact, contactRows, { id });
  if (contact.assigned_user_id === userId) return;
  if (contact.assigned_user_id == null) {
    contact.assigned_user_id = userId;
    contact.change(ctx.now());
    await noteAssignment(ctx.query, { contact_id: contact.id, previous_user_id: null }, delegationId);
    publish(ctx, contactChanged, contact, eventData(contact, { fields: ['assigned_user_id'] }));
    return;
  }
  const hasAccess = contact.owner_user_id === userId || contact.shared_user_ids.includes(userId);
  if (!hasAccess) await shareWith(ctx, contact, userId, contact.owner_user_id, delegationId);
}
