import { someone } from '@crm/testing';
import type { contactsUnderTest } from './harness.ts';

export const viewed = {
  type: 'property_viewed',
  description: 'Twice in an hour',
  site_domain: 'www.example.com',
};

/** A contact event, recorded by the owner of the contact. */
export function eventRecorder(contacts: Awaited<ReturnType<typeof contactsUnderTest>>) {
  return async (owner = someone(), contact: { assigned_user_id?: number } = {}) => {
    const { id: contact_id } = await contacts.as(owner).contacts.create(contact);
    const event = await contacts.as(owner).events.create({ contact_id, ...viewed });
    return { owner, contact_id, event, id: event.id };
  };
}
