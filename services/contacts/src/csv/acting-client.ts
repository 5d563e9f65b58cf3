import type { Client } from '@crm/client';
import type { contactsApi } from '../api.ts';

export type ContactsClient = Client<typeof contactsApi>;

export interface Person {
  readonly id: number;
  readonly email: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
}

/** A client of contacts with the access token of the user whose contacts are imported or exported. */
export interface ActingClient {
  readonly userId: number;
  readonly contacts: ContactsClient;
  /** The user, and the people whom the user works with. */
  colleagues(): Promise<readonly Person[]>;
  /** The people with these ids, whoever they are. */
  people(ids: readonly number[]): Promise<readonly Person[]>;
}
