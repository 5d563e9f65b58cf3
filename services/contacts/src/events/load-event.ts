import { type Condition, noRecord } from '@crm/contract';
import { type Context, loadForChange } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { Contact } from '../contacts/contact.entity.ts';
import { ContactEvent } from './event.entity.ts';
import { contactOfEvent, eventRows } from './event.queries.ts';

interface Wanted {
  readonly id: number;
  readonly $where?: readonly Condition[] | undefined;
}

/**
 * Loads a contact event for a change, with its contact, if the actor sees the contact. The contact is locked first:
 * otherwise it could be reassigned, or removed with the event, in between.
 */
export async function loadEvent(ctx: Context, { id, $where }: Wanted) {
  const contact = await lockContact(ctx, await contactOfEvent(ctx.query, id));
  if (!contact) throw noRecord(id);
  return { contact, event: await loadForChange(ctx, ContactEvent, eventRows, { id, $where }) };
}

/**
 * Loads a contact that the actor sees, and locks it until the transaction ends. The lock is not a shared one: an event changes
 * the `last_activity_at` of its contact, and two at once would deadlock.
 */
export async function lockContact({ em }: Context, id: number | undefined): Promise<Contact | null> {
  return id === undefined ? null : em.findOne(Contact, id, { lockMode: LockMode.PESSIMISTIC_WRITE });
}
