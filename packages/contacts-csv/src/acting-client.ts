import type { Client } from '@crm/client';
import type { contactsApi } from '@crm/contacts/api';

export type ContactsClient = Client<typeof contactsApi>;

/** A client of contacts with the access token of the user whose contacts are imported or exported. */
export interface ActingClient {
  readonly userId: number;
  readonly contacts: ContactsClient;
}
