/** The interface that all peers implement: that of our contacts. */

/** Texts that clients may send, with the most characters of each. */
export const texts = {
  first_name: 255,
  last_name: 255,
  email: 255,
  mobile_phone: 255,
  home_phone: 45,
  office_phone: 45,
  fax: 45,
  company: 45,
  birthday: 45,
  anniversary: 45,
  spouse_name: 45,
  spouse_email: 45,
  spouse_phone: 255,
  spouse_birthday: 255,
  timezone: 64,
} as const;

/** References that clients may send. */
export const references = ['assigned_user_id', 'hotness_id', 'source_id'] as const;

export const addressTexts = {
  street_address_1: 45,
  street_address_2: 45,
  zip: 45,
  city: 200,
  state: 200,
} as const;

export const addressTypes = [
  'Home',
  'Main Office',
  'Branch Office',
  'Second Home',
  'Investment',
  'Mailing',
] as const;

export const longestTags = 508;
export const mostAddresses = 50;
export const usualPage = 10;
export const largestPage = 1_000;

export const textNames = Object.keys(texts);
export const addressTextNames = Object.keys(addressTexts);
export const integers = ['id', 'owner_user_id', ...references];
export const moments = ['created_at', 'modified_at', 'last_activity_at'];

/** All columns of a contact that clients see. */
export const shown = [...integers, ...textNames, ...moments];

export interface ContactDraft extends Readonly<Record<string, unknown>> {
  readonly hotness_id?: number | null;
  readonly source_id?: number | null;
}

export interface AddressDraft {
  readonly type?: string | null;
  readonly street_address_1?: string | null;
  readonly street_address_2?: string | null;
  readonly zip?: string | null;
  readonly city?: string | null;
  readonly state?: string | null;
}

export interface NewContact {
  readonly draft: ContactDraft;
  readonly addresses: readonly AddressDraft[];
  readonly tags: readonly string[];
}

/** The parts that have tables of their own, apart from the rest of what was sent. */
export function partsOf(body: Readonly<Record<string, unknown>>): NewContact {
  const { addresses, tags, ...draft } = body;
  const names = String(tags ?? '').split(',');
  return {
    draft,
    addresses: (addresses as AddressDraft[] | undefined) ?? [],
    tags: [...new Set(names.map((name) => name.trim()).filter(Boolean))],
  };
}
