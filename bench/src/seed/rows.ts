/** The rows of the seed. Each follows from its number alone, so that it can be made again and put back. */

export interface Size {
  readonly contacts: number;
  readonly owners: number;
  /** Whose contact it is, if not each owner has as many as any other. */
  readonly place?: (id: number) => Place;
}

/** The owner of a contact, and its position among the contacts of that owner. */
export interface Place {
  readonly owner: number;
  readonly nth: number;
}

/** A user with an account and a token, as whom requests are sent. */
export interface Agent {
  readonly id: number;
  readonly token: string;
  /** Some of the contacts that the agent owns. */
  readonly contacts: readonly number[];
  /** Last names that some of them have. */
  readonly names: readonly string[];
}

export type Row = readonly (string | number | null)[];

/** The owners with an account; the others only own contacts. */
export const agentCount = 50;
export const contactsPerOwner = 2_000;
export const hotnessesPerOwner = 4;
export const sourcesPerOwner = 6;
export const tagsPerOwner = 20;
const fieldsPerOwner = 3;

/** Seeded rows were last changed before this time, and those that requests write after it. */
export const lastSeeded = Date.UTC(2025, 0, 1);
const span = 2 * 365 * 86_400_000;

export const sizeOf = (contacts: number): Size => ({
  contacts,
  owners: Math.max(agentCount, Math.round(contacts / contactsPerOwner)),
});

const firstNames = [
  'Ada',
  'Bruno',
  'Chiara',
  'Dario',
  'Edith',
  'Felix',
  'Gala',
  'Hanna',
  'Ivo',
  'Jana',
  'Kai',
];
const lastNames = [
  ...['Abbot', 'Brandt', 'Castillo', 'Dumont', 'Eriksen', 'Fischer', 'Gallo', 'Hansen', 'Ibarra', 'Jansen'],
  ...['Keller', 'Lindgren', 'Moreau', 'Nakamura', 'Okafor', 'Petrov', 'Quigley', 'Rossi', 'Santos'],
];
const cities = ['Los Angeles', 'San Diego', 'Oakland', 'Fresno', 'Sacramento'];
const sourceNames = ['Zillow', 'Trulia', 'Realtor.com', 'Facebook', 'Website', 'Referral'];
const colors = ['#d03020', '#e08030', '#3080d0', '#808890'];

const at = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item;
const isoOf = (time: number): string => new Date(time).toISOString();

/** The ids of an owner's hotnesses, sources or tags. */
export const idsOf = (owner: number, each: number): number[] =>
  Array.from({ length: each }, (_, index) => (owner - 1) * each + index + 1);

const idOf = (owner: number, each: number, index: number): number => (owner - 1) * each + 1 + (index % each);

function placeOf(id: number, { owners, place }: Size): Place {
  return place?.(id) ?? { owner: 1 + ((id - 1) % owners), nth: Math.floor((id - 1) / owners) };
}

const another = (owner: number, step: number, { owners }: Size): number => 1 + ((owner + step) % owners);

export const lastNameOf = (id: number): string => at(lastNames, id * 5 + Math.floor(id / 50));

/** The columns that requests change, and what they were. */
export function changeableOf(id: number, size: Size) {
  const { owner, nth } = placeOf(id, size);
  return {
    id,
    company: id % 3 === 0 ? `${lastNameOf(id)} Holdings` : null,
    hotness_id: nth % 5 === 4 ? null : idOf(owner, hotnessesPerOwner, nth),
    // A prime, so that the order of changes has nothing to do with that of ids.
    modified_at: isoOf(lastSeeded - 1 - ((id * 104_729_017) % span)),
  };
}

function addressOf(id: number) {
  const zip = String(90_001 + (id % 900));
  return { street: `${100 + (id % 9_000)} Harbor Street`, city: at(cities, id), state: 'California', zip };
}

/** What the triggers of addresses would have written. */
function addressTextOf(id: number): string {
  const { street, city, state, zip } = addressOf(id);
  return [street, city, state, zip, `${zip} `].join(' ');
}

export const contactColumns = [
  ...['id', 'owner_user_id', 'assigned_user_id', 'first_name', 'last_name', 'email', 'mobile_phone'],
  ...[
    'mobile_phone_e164',
    'home_phone',
    'home_phone_e164',
    'company',
    'birthday',
    'spouse_name',
    'spouse_email',
  ],
  ...['hotness_id', 'source_id', 'created_at', 'modified_at', 'tags_head', 'tags_tail', 'shared_user_ids'],
  'address_text',
];

export function contactRow(id: number, size: Size): Row {
  const { owner, nth } = placeOf(id, size);
  const { company, hotness_id, modified_at } = changeableOf(id, size);
  const first = at(firstNames, id * 7);
  const mobile = `+1604${2_000_000 + (id % 7_000_000)}`;
  const home = id % 2 === 0 ? `+1778${2_000_000 + (id % 7_000_000)}` : null;
  const hasSpouse = id % 5 === 0;
  return [
    id,
    owner,
    nth % 10 === 3 ? another(owner, nth % 7, size) : null,
    first,
    lastNameOf(id),
    `${first}.${lastNameOf(id)}.${id}@example.com`.toLowerCase(),
    ...[mobile, mobile, home, home],
    company,
    `${1950 + (id % 50)}-${String(1 + (id % 12)).padStart(2, '0')}-${String(1 + (id % 28)).padStart(2, '0')}`,
    hasSpouse ? `${at(firstNames, id)} ${lastNameOf(id)}` : null,
    hasSpouse ? `spouse.${id}@example.com` : null,
    hotness_id,
    nth % 7 === 6 ? null : idOf(owner, sourcesPerOwner, nth),
    isoOf(lastSeeded - 2 * span),
    modified_at,
    ...['', ''],
    isShared(nth) ? `{${another(owner, 2 + (nth % 5), size)}}` : '{}',
    addressTextOf(id),
  ];
}

const isShared = (nth: number): boolean => nth % 20 === 7;

export function addressRow(id: number): Row {
  const { street, city, state, zip } = addressOf(id);
  const moment = isoOf(lastSeeded - span);
  return [id, id, 'Home', street, zip, city, state, moment, moment];
}

export function tagRowsOf(id: number, size: Size): Row[] {
  const { owner, nth } = placeOf(id, size);
  return [
    [id, 1, idOf(owner, tagsPerOwner, nth), ''],
    [id, 2, idOf(owner, tagsPerOwner, nth + 1 + (nth % 7)), ', '],
  ];
}

export function fieldValueRows(id: number, size: Size): Row[] {
  const { owner, nth } = placeOf(id, size);
  return nth % 3 === 0 ? [[id, idOf(owner, fieldsPerOwner, nth), `value ${id}`]] : [];
}

export function shareRows(id: number, size: Size): Row[] {
  const { owner, nth } = placeOf(id, size);
  return isShared(nth) ? [[id, another(owner, 2 + (nth % 5), size), owner, isoOf(lastSeeded - span)]] : [];
}

const eachOf = (owner: number, each: number, row: (id: number, index: number) => Row): Row[] =>
  idsOf(owner, each).map(row);

export const hotnessRows = (owner: number): Row[] =>
  eachOf(owner, hotnessesPerOwner, (id, index) => [
    id,
    index + 1,
    owner,
    `Level ${index + 1}`,
    at(colors, index),
  ]);

export const sourceRows = (owner: number): Row[] => {
  const moment = isoOf(lastSeeded - 2 * span);
  return eachOf(owner, sourcesPerOwner, (id, index) => [id, at(sourceNames, index), owner, moment, moment]);
};

export const tagRows = (owner: number): Row[] =>
  eachOf(owner, tagsPerOwner, (id, index) => [id, owner, `tag ${index + 1}`]);

export const fieldRows = (owner: number): Row[] =>
  eachOf(owner, fieldsPerOwner, (id, index) => [id, owner, `Field ${index + 1}`, index + 1, 'Text']);
