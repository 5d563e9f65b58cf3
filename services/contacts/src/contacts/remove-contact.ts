import type { JsonText } from '@crm/data';
import { contactRemoved } from '@crm/events';
import { removalOf } from '@crm/messaging';
import { answerWith, type Context, demand, loadForChange, type Pending, publish } from '@crm/service';
import type { z } from 'zod';
import { withCustomFields } from '../custom-fields/custom-field-conditions.ts';
import type { contactApi } from './contact.api.ts';
import { Contact } from './contact.entity.ts';
import { mayRemoveContact, onlyOwnerRemovesContact } from './contact.policy.ts';
import { contactRows } from './contact.queries.ts';
import { eventData } from './contact-event-data.ts';

/** Removes a contact of the caller, and returns it as it was. */
export async function removeContact(
  ctx: Context,
  { id, $where = [] }: z.output<typeof contactApi.remove.input>,
): Promise<Pending<JsonText>> {
  const { model, where } = await withCustomFields(ctx, { model: contactRows, where: $where });
  const contact = await loadForChange(ctx, Contact, model, { id, $where: where });
  demand(mayRemoveContact(ctx.user, contact), onlyOwnerRemovesContact);
  const removed = await answerWith(ctx, contactRows, id);
  ctx.em.remove(contact);
  publish(ctx, contactRemoved, removalOf(contact), eventData(contact, {}));
  return removed;
}
