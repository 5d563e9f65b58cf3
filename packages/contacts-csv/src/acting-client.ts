import type { Channel, Contact, Destinations } from './format.ts';
import type { DataType } from './values/check-cell.ts';

export interface Person {
  readonly id: number;
  readonly email: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
}

/** A row that is sent to be added. */
export interface SentRow {
  readonly key: string;
  /** As the contract has validated it. */
  readonly contact: object;
  readonly shared_with: number[];
  readonly opt_outs?: Channel[];
  readonly destinations?: Destinations;
}

interface Matching {
  readonly id: number;
  readonly email: string | null;
  readonly mobile_phone: string | null;
  /** A service of the previous release sends no names. */
  readonly first_name?: string | null;
  readonly last_name?: string | null;
  /** Whether an earlier row of the import has named it, if the client knows. */
  readonly is_named?: boolean;
}

interface Page {
  readonly id: { readonly $gt: number };
  readonly $sort: { readonly id: 1 };
  readonly $limit: number;
}

interface Keyed {
  readonly idempotencyKey: string;
}

/** A record of a catalog. */
export interface Named {
  readonly id: number;
  readonly user_id: number;
  readonly name: string | null;
}

export interface CustomField extends Named {
  readonly name: string;
  readonly rank: number;
  readonly data_type: DataType;
}

export interface Records<Found> {
  find(page: Page): Promise<{ readonly data: readonly Found[] }>;
}

interface Catalogued extends Records<Named> {
  create(draft: { readonly name: string }, key: Keyed): Promise<{ readonly id: number }>;
}

/** The operations of contacts that an import and an export use. A client of the contacts contract implements them. */
export interface ContactsClient {
  readonly contacts: {
    find(
      query: object,
    ): Promise<{ readonly total: number; readonly data: readonly Contact[]; readonly next?: string | null }>;
    get(query: {
      readonly id: number;
      readonly $select: ['addresses', 'modified_at'];
    }): Promise<Pick<Contact, 'addresses'> & { readonly modified_at: string }>;
    patch(changes: { readonly id: number }, key: Keyed): Promise<unknown>;
  };
  readonly customFields: Records<CustomField> & {
    create(
      draft: { readonly name: string; readonly data_type: DataType },
      key: Keyed,
    ): Promise<{ readonly id: number }>;
  };
  readonly hotnesses: Catalogued;
  readonly contactSources: Catalogued;
  readonly importedRows: {
    add(sent: { readonly rows: SentRow[] }): Promise<
      readonly {
        readonly id: number | null;
        readonly is_new: boolean;
        readonly errors: Readonly<Record<string, string>>;
      }[]
    >;
    known(of: {
      readonly keys: string[];
    }): Promise<readonly { readonly key: string; readonly contact_id: number }[]>;
    matches(keys: { readonly emails: string[]; readonly phones: string[] }): Promise<readonly Matching[]>;
  };
  readonly consents: {
    optOut(said: {
      readonly id: number;
      readonly channels: Channel[];
      readonly mobile_phone?: string | null;
      readonly email?: string | null;
      readonly destinations?: Destinations;
      readonly destinations_only?: boolean;
    }): Promise<unknown>;
    optedOut(of: {
      readonly contact_ids: number[];
    }): Promise<readonly { readonly contact_id: number; readonly opted_out: readonly Channel[] }[]>;
  };
  readonly shares: {
    create(share: { readonly contact_id: number; readonly user_id: number }): Promise<unknown>;
    ofContacts(of: {
      readonly contact_ids: number[];
    }): Promise<readonly { readonly contact_id: number; readonly user_id: number }[]>;
  };
}

/** A client of contacts with the access token of the user whose contacts are imported or exported. */
export interface ActingClient {
  readonly userId: number;
  readonly contacts: ContactsClient;
  /** The user, and the people whom the user works with. */
  colleagues(): Promise<readonly Person[]>;
  /** Any people with these ids, not only colleagues. */
  people(ids: readonly number[]): Promise<readonly Person[]>;
}
