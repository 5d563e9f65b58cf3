import { plainName } from '@crm/contract';

/**
 * Headers of other programs by the field that they fill: spreadsheets, Outlook, Google Contacts, LionDesk, Follow Up Boss, kvCORE
 * and BoomTown. Case, blanks, hyphens and underscores do not matter.
 */
export const synonyms: Readonly<Record<string, readonly string[]>> = {
  name: ['full name', 'contact name', 'client name', 'lead name', 'display name', 'contact'],
  first_name: ['first', 'given name', 'forename', 'fname', 'primary first name'],
  last_name: ['last', 'surname', 'family name', 'lname', 'primary last name'],
  email: [
    'mail',
    'email address',
    'primary email',
    'email 1',
    'email 1 value',
    'email 1 address',
    'home email',
    'personal email',
  ],
  mobile_phone: [
    'mobile',
    'cell',
    'cell phone',
    'mobile number',
    'cell number',
    'cell phone 1',
    'mobile phone 1',
    'primary cell phone',
    'phone mobile',
    'phone cell',
  ],
  home_phone: ['home', 'phone home', 'home number', 'home phone 1', 'home telephone'],
  office_phone: [
    'office',
    'work phone',
    'work phone 1',
    'work',
    'business phone',
    'phone work',
    'phone office',
    'office number',
  ],
  fax: ['fax number', 'business fax', 'work fax', 'home fax'],
  company: [
    'organization',
    'organisation',
    'company name',
    'organization name',
    'organization 1 name',
    'employer',
  ],
  birthday: ['birth date', 'date of birth', 'dob', 'bday', 'primary birthday'],
  anniversary: [
    'closing date',
    'home closing date',
    'closing anniversary',
    'home anniversary',
    'purchase date',
  ],
  spouse_name: ['spouse', 'partner', 'partner name', 'spouse full name'],
  spouse_email: ['partner email', 'spouse email address'],
  spouse_phone: ['partner phone', 'spouse cell phone', 'spouse mobile phone'],
  spouse_birthday: ['partner birthday', 'spouse birth date'],
  tags: ['tag', 'labels', 'label', 'groups', 'group membership', 'categories', 'hashtags', 'keywords'],
  source: ['lead source', 'contact source', 'source name', 'referral source', 'lead origin'],
  assigned_to: [
    'assigned',
    'assignee',
    'assigned user',
    'assigned agent',
    'agent assigned',
    'agent',
    'agent name',
    'agent email',
    'assigned agent email',
  ],
  owner: ['owner email', 'lead owner', 'contact owner', 'record owner'],
  created_at: [
    'created',
    'created on',
    'create date',
    'created date',
    'date created',
    'date added',
    'added',
    'added on',
    'register date',
    'registered',
    'registration date',
    'date registered',
  ],
  modified_at: ['modified', 'last modified', 'date modified', 'updated', 'updated at', 'last updated'],
};

const addressParts: Readonly<Record<string, readonly string[]>> = {
  street_address_1: ['street', 'address', 'street address', 'address 1', 'address line 1', 'street 1'],
  street_address_2: ['street 2', 'address 2', 'address line 2', 'extended address', 'unit'],
  zip: ['zip', 'zip code', 'postal code', 'postcode', 'zip postal code'],
  city: ['city', 'town'],
  state: ['state', 'province', 'region', 'state province'],
  address_type: ['type', 'label', 'address type'],
};

/** Prefixes that programs put before the parts of an address, such as `Home Street` or `Address 2 - City`. */
const addressPrefixes: readonly { readonly prefix: string; readonly n: number; readonly type?: string }[] = [
  { prefix: '', n: 1 },
  { prefix: 'primary', n: 1 },
  { prefix: 'mailing', n: 1, type: 'Mailing' },
  { prefix: 'home', n: 1, type: 'Home' },
  { prefix: 'business', n: 2, type: 'Main Office' },
  { prefix: 'work', n: 2, type: 'Main Office' },
  { prefix: 'other', n: 3 },
  ...Array.from({ length: 9 }, (_, index) => ({ prefix: `address ${index + 1}`, n: index + 1 })),
];

/** The part of an address, and the type of addresses with this prefix. */
export interface AddressHeader {
  readonly n: number;
  /** The name of the cell in a first address. */
  readonly part: string;
  readonly type?: string | undefined;
}

const addressHeaders = new Map<string, AddressHeader>();
for (const { prefix, n, type } of addressPrefixes) {
  for (const [part, names] of Object.entries(addressParts)) {
    // Alone, "type" and "label" do not say what they describe.
    for (const name of names.filter((name) => prefix !== '' || !['type', 'label'].includes(name))) {
      const key = plainName(prefix + name);
      if (!addressHeaders.has(key)) addressHeaders.set(key, { n, part, type });
    }
  }
}

export const addressHeader = (header: string): AddressHeader | undefined =>
  addressHeaders.get(plainName(header));

/** The number of a header such as `Phone 2` or `Phone 2 - Value`, which does not say the type of the phone. */
export function numberedPhone(header: string): number | undefined {
  const [, n] =
    /^(?:phone|cellphone|mobilephone|homephone|workphone|otherphone)([1-9])(?:value|number)?$/.exec(
      plainName(header),
    ) ?? [];
  return n === undefined ? undefined : Number(n);
}

/** A phone of unknown type, which is usually a mobile one. */
export const isPhone = (header: string): boolean =>
  ['phone', 'phonenumber', 'primaryphone', 'telephone', 'tel'].includes(plainName(header));

/** The headers with the type of a numbered phone. */
export const phoneLabels = (n: number): readonly string[] => [`phone${n}label`, `phone${n}type`];
