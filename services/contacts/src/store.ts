import type { Store } from '@crm/data';
import { OutboxMessage } from '@crm/messaging';
import { Address } from './addresses/address.entity.ts';
import { ContactSource } from './contact-sources/contact-source.entity.ts';
import { Contact } from './contacts/contact.entity.ts';
import { Hotness } from './hotnesses/hotness.entity.ts';
import { Contacts } from './migrations/0001-contacts.ts';

export const contactsStore: Store = {
  schema: 'contacts',
  entities: [Address, Contact, ContactSource, Hotness, OutboxMessage],
  migrations: [{ name: '0001-contacts', class: Contacts }],
};
