import { contactChanged } from '@crm/events';
import { type Context, loadForChange, publish } from '@crm/service';
import { Contact } from '../contacts/contact.entity.ts';
import { contactRows } from '../contacts/contact.queries.ts';
import { eventData } from '../contacts/contact-event-data.ts';
import { noteAssignment } from '../delegations/delegation.queries.ts';
import { shareWith } from './share-with.ts';

/**
 * Lets a user work with a contact: as its assignee if it has none, or by a share on behalf of its owner. Repeating it
 * changes nothing. Throws NotFound.
 */
export async function giveContact(ctx: Context, id: number, userId: number): Promise<void> {
  const contact = await loadForChange(ctx, Contact, contactRows, { id });
  if (contact.assigned_user_id === userId) return;
  if (contact.assigned_user_id == null) {
    contact.assigned_user_id = userId;
    contact.change(ctx.now());
    await noteAssignment(ctx, { contact_id: contact.id, previous_user_id: null });
    publish(ctx, contactChanged, contact, eventData(contact, { fields: ['assigned_user_id'] }));
    return;
  }
  const hasAccess = contact.owner_user_id === userId || contact.shared_user_ids.includes(userId);
  if (!hasAccess) await shareWith(ctx, contact, userId, contact.owner_user_id);
}
