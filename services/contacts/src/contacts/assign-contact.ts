import { contactChanged } from '@crm/events';
import { type Context, publish } from '@crm/service';
import { noteAssignment } from '../delegations/delegated-assignment.queries.ts';
import type { Contact } from './contact.entity.ts';
import { eventData } from './contact-event-data.ts';

/** Assigns a locked contact without a delegation, whoever has had it. */
export async function assignContact(ctx: Context, contact: Contact, assigned_user_id: number): Promise<void> {
  const { id: contact_id, assigned_user_id: previous_user_id = null } = contact;
  contact.assigned_user_id = assigned_user_id;
  contact.change(ctx.now());
  await noteAssignment(ctx.query, { contact_id, previous_user_id }, null);
  publish(ctx, contactChanged, contact, eventData(contact, { fields: ['assigned_user_id'] }));
}
